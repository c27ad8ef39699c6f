set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,496
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 3
set tmargin at screen 0.91129
set bmargin at screen 0.16129
set label "It is private." at screen 0.02, screen 0.0193548 font ',11' textcolor rgb '#444444'
set xtics ('2' 2,'4' 4,'6' 6,'8' 8,'10' 10,'12' 12,'14' 14,'16' 16,'18' 18,'20' 20)
set xlabel 'step'
set ytics ('0' 0,'5' 5,'10' 10,'15' 15)
set xrange [1:20]
set yrange [-2.7999999999999998:18.800000000000001]
$data << END
1 1 -1 3
2 4 2 6
3 9 7 11
4 16 14 18
5 8 6 10
6 2 0 4
7 15 13 17
8 13 11 15
9 13 11 15
10 15 13 17
11 2 0 4
12 8 6 10
13 16 14 18
14 9 7 11
15 4 2 6
16 1 -1 3
17 0 -2 2
18 1 -1 3
19 4 2 6
20 9 7 11
END
plot $data using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '#0072B2' title 'noise interval', $data using 1:2 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "estimate", NaN notitle
