set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key off
set tmargin at screen 0.970833
set xtics ('5' 5,'10' 10,'15' 15,'20' 20,'25' 25,'30' 30)
set xlabel 'step'
set ytics ("some" 1,"often" 2,"seldom" 0)
set xrange [1:30]
set yrange [-0.5:2.5]
$data << END
1 1
2 1
3 2
4 2
5 2
6 2
7 1
8 1
9 1
10 2
11 2
12 2
13 2
14 1
15 0
16 1
17 2
18 2
19 2
20 2
21 1
22 1
23 1
24 2
25 2
26 2
27 2
28 1
29 1
30 0
END
plot $data using 1:2 with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, NaN notitle
