set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 2
set tmargin at screen 0.908333
set xtics ('2 Jan' 86400,'3 Jan' 172800,'4 Jan' 259200,'5 Jan' 345600,'6 Jan' 432000,'7 Jan' 518400,'8 Jan' 604800)
set xlabel 'UTC, from 1970-01-02'
set ytics ('0' 0,'50' 50,'100' 100,'150' 150)
set xrange [34560:656640]
set yrange [0:163.90000000000001]
$data << END
86400 86400 91 48 134
172800 172800 94 51 137
259200 259200 99 56 142
345600 345600 106 63 149
432000 432000 98 55 141
518400 518400 92 49 135
604800 604800 105 62 148
END
set style fill solid 0.6
set boxwidth 69120 absolute
set label "\071\061" at 86400,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
set label "\071\064" at 172800,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
set label "\071\071" at 259200,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
set label "\061\060\066" at 345600,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
set label "\071\070" at 432000,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
set label "\071\062" at 518400,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
set label "\061\060\065" at 604800,152.42699999999999 front center offset character 0,0.6 textcolor rgb '#222222'
plot $data using ($1+0):3:4:5:(69120) with boxerrorbars lc rgb '#0072B2' title "estimate".', with its noise interval', NaN notitle
