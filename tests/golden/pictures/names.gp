set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 2
set tmargin at screen 0.908333
set label "\063\070\071" at 398,0 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\067\070" at 387,1 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\066\067" at 376,2 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\065\066" at 365,3 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\064\065" at 354,4 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\063\064" at 343,5 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\062\063" at 332,6 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\061\062" at 321,7 left offset character 0.7,0 textcolor rgb '#222222'
set label "\063\060\061" at 310,8 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\071\060" at 299,9 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\067\071" at 288,10 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\066\070" at 277,11 left offset character 0.7,0 textcolor rgb '#222222'
set grid noytics
set ytics ("/page/\061" 0,"/page/\062" 1,"/page/\063/with/..than/its/room" 2,"/page/\064" 3,"/page/\065" 4,"/page/\066" 5,"/page/\067" 6,"/page/\070" 7,"/page/\071" 8,"/page/\061\060" 9,"/page/\061\061" 10,"/page/\061\062" 11)
set xtics ('0' 0,'100' 100,'200' 200,'300' 300,'400' 400)
set xlabel "" textcolor rgb '#444444'
set xrange [0:428.07111111111112]
set yrange [11.6:-0.59999999999999998]
$data << END
0 0 389 380 398
1 1 378 369 387
2 2 367 358 376
3 3 356 347 365
4 4 345 336 354
5 5 334 325 343
6 6 323 314 332
7 7 312 303 321
8 8 301 292 310
9 9 290 281 299
10 10 279 270 288
11 11 268 259 277
END
set style fill solid 0.6
set boxwidth 0.8 absolute
plot $data using ($3/2):($1+0):($3 < 0 ? $3 : 0):($3 > 0 ? $3 : 0):($1-0.4):($1+0.4) with boxxyerror lc rgb '#0072B2' title "estimate".', with its noise interval', $data using 3:($1+0):4:5 with xerrorbars pt 0 lw 1.5 lc rgb '#222222' notitle, NaN notitle
