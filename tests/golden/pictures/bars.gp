set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 7
set tmargin at screen 0.908333
set xtics ('1' 1,'2' 2,'3' 3,'4' 4,'5' 5,'6' 6,'7' 7,'8' 8,'9' 9)
set xlabel 'step'
set ylabel "Cars, thousands" textcolor rgb '#444444'
set ytics ('0' 0,'5' 5,'10' 10,'15' 15,'20' 20)
set xrange [0.40000000000000002:9.5999999999999996]
set yrange [0:24.960000000000001]
$data << END
1 1 11 21
2 2 10 24
3 3 11 24
4 4 10 21
5 5 11 20
6 6 10 21
7 7 11 24
8 8 10 24
9 9 11 21
END
set style fill solid 0.6
set boxwidth 0.4 absolute
plot $data using ($1-0.2):3 with boxes lc rgb '#0072B2' title "key \061", $data using ($1+0.2):4 with boxes lc rgb '#D55E00' title "key \062", NaN notitle
