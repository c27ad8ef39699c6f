set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set label "A line" at screen 0.5, screen 0.970833 center font ',14' textcolor rgb '#222222'
set key off
set tmargin at screen 0.916667
set xtics ('1' 1,'2' 2,'3' 3,'4' 4,'5' 5,'6' 6,'7' 7,'8' 8,'9' 9)
set xlabel 'step'
set ytics ('10.0' 10,'10.2' 10.200000000000001,'10.4' 10.4,'10.6' 10.600000000000001,'10.8' 10.800000000000001,'11.0' 11)
set xrange [1:9]
set yrange [9.9600000000000009:11.039999999999999]
$data << END
1 1 11
2 2 10
3 3 11
4 4 10
5 5 11
6 6 10
7 7 11
8 8 10
9 9 11
END
plot $data using 1:3 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "key \061", NaN notitle
