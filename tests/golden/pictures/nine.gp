set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key outside right top vertical Left reverse
set tmargin at screen 0.970833
set xtics ('1' 1,'2' 2,'3' 3,'4' 4,'5' 5,'6' 6,'7' 7,'8' 8,'9' 9)
set xlabel 'step'
set ytics ('0' 0,'20' 20,'40' 40,'60' 60,'80' 80,'100' 100)
set xrange [1:9]
set yrange [0:102.95999999999999]
$data << END
1 1 11 21 31 41 51 61 71 81 91
2 2 10 24 34 44 54 64 74 84 94
3 3 11 24 33 42 51 60 79 89 99
4 4 10 21 34 42 50 67 76 85 94
5 5 11 20 31 44 51 67 75 83 91
6 6 10 21 30 41 54 60 76 83 90
7 7 11 24 31 40 51 64 79 85 91
8 8 10 24 34 41 50 61 74 89 94
9 9 11 21 33 44 51 60 71 84 99
END
plot $data using 1:3 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "key \061", $data using 1:4 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#D55E00' title "key \062", $data using 1:5 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#009E73' title "key \063", $data using 1:6 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#CC79A7' title "key \064", $data using 1:7 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#E69F00' title "key \065", $data using 1:8 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#56B4E9' title "key \066", $data using 1:9 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#999999' title "key \067", $data using 1:10 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#000000' title "key \070", $data using 1:11 with linespoints pt 7 ps 0.5 lw 2 dt 2 lc rgb '#0072B2' title "key \071", NaN notitle
