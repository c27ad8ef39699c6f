set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 2
set tmargin at screen 0.908333
set label "\064\062\064" at 433,0 left offset character 0.7,0 textcolor rgb '#222222'
set label "\064\060\070" at 417,1 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\071\062" at 401,2 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\067\066" at 385,3 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\066\060" at 369,4 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\064\064" at 353,5 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\063\066" at 345,6 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\062\070" at 337,7 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\062\060" at 329,8 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\061\062" at 321,9 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\060\064" at 313,10 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\070\070" at 297,11 left offset character 0.7,0 textcolor rgb '#222222'
set grid noytics
set ytics ("/page/\061" 0,"/page/\062" 1,"/page/\063/with/..than/its/room" 2,"/page/\064" 3,"/page/\065" 4,"/page/\066" 5,"/page/\071" 6,"/page/\067" 7,"/page/\061\060" 8,"/page/\070" 9,"/page/\061\061" 10,"/page/\061\062" 11)
set xtics ('0' 0,'100' 100,'200' 200,'300' 300,'400' 400)
set xlabel ""."from \061\071\067\061-\060\061-\060\061 \060\065:\060\060" textcolor rgb '#444444'
set xrange [0:465.71555555555557]
set yrange [11.6:-0.59999999999999998]
$data << END
0 0 424 415 433
1 1 408 399 417
2 2 392 383 401
3 3 376 367 385
4 4 360 351 369
5 5 344 335 353
6 6 336 327 345
7 7 328 319 337
8 8 320 311 329
9 9 312 303 321
10 10 304 295 313
11 11 288 279 297
END
set style fill solid 0.6
set boxwidth 0.8 absolute
plot $data using ($3/2):($1+0):($3 < 0 ? $3 : 0):($3 > 0 ? $3 : 0):($1-0.4):($1+0.4) with boxxyerror lc rgb '#0072B2' title "estimate".', with its noise interval', $data using 3:($1+0):4:5 with xerrorbars pt 0 lw 1.5 lc rgb '#222222' notitle, NaN notitle
