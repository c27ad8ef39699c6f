set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key off
set tmargin at screen 0.970833
set xtics ('5' 5,'10' 10,'15' 15,'20' 20,'25' 25,'30' 30)
set xlabel 'step'
set ytics ("some" 0,"often" 1)
set xrange [1:30]
set yrange [-0.5:1.5]
$data << END
1 1 0 1
2 2 0 4
3 3 1 9
4 4 1 16
5 5 1 25
6 6 1 36
7 7 0 49
8 8 0 64
9 9 0 81
10 10 1 100
11 11 1 121
12 12 1 144
13 13 1 169
14 14 0 196
15 15 0 225
16 16 0 256
17 17 1 289
18 18 1 324
19 19 1 361
20 20 1 400
21 21 0 441
22 22 0 484
23 23 0 529
24 24 1 576
25 25 1 625
26 26 1 676
27 27 1 729
28 28 0 784
29 29 0 841
30 30 0 900
END
plot $data using 1:3 with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, NaN notitle
