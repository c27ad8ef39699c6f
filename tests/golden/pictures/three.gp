set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 7
set tmargin at screen 0.908333
set xtics ('1' 1,'2' 2,'3' 3,'4' 4,'5' 5,'6' 6,'7' 7,'8' 8,'9' 9)
set xlabel 'step'
set ytics ('0' 0,'10' 10,'20' 20,'30' 30)
set xrange [1:9]
set yrange [0:35.359999999999999]
$data << END
1 1 11 21 31
2 2 10 24 34
3 3 11 24 33
4 4 10 21 34
5 5 11 20 31
6 6 10 21 30
7 7 11 24 31
8 8 10 24 34
9 9 11 21 33
END
plot $data using 1:3 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "key \061", $data using 1:4 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#D55E00' title "key \062", $data using 1:5 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#009E73' title "key \063", NaN notitle
