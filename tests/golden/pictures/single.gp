set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 3
set tmargin at screen 0.908333
set xtics ('00:00:00' 86400)
set xlabel 'UTC, from 1970-01-02'
set ytics ('88' 88,'89' 89,'90' 90,'91' 91,'92' 92,'93' 93,'94' 94)
set xrange [86399:86401]
set yrange [87.760000000000005:94.239999999999995]
$data << END
86400 86400 91 88 94
END
plot $data using 1:3:4:5 with yerrorbars pt 0 lw 3 lc rgb '#0072B2' title 'noise interval', $data using 1:3 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "estimate", NaN notitle
