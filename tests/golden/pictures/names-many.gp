set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,528
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key at graph 0, graph 1.02 left bottom horizontal Left reverse maxcols 2
set tmargin at screen 0.916667
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
set label "\062\065\067" at 266,12 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\064\066" at 255,13 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\063\065" at 244,14 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\062\064" at 233,15 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\061\063" at 222,16 left offset character 0.7,0 textcolor rgb '#222222'
set label "\062\060\062" at 211,17 left offset character 0.7,0 textcolor rgb '#222222'
set label "\061\071\061" at 200,18 left offset character 0.7,0 textcolor rgb '#222222'
set label "\061\070\060" at 189,19 left offset character 0.7,0 textcolor rgb '#222222'
set grid noytics
set ytics ("/page/\061" 0,"/page/\062" 1,"/page/\063/with/..than/its/room" 2,"/page/\064" 3,"/page/\065" 4,"/page/\066" 5,"/page/\067" 6,"/page/\070" 7,"/page/\071" 8,"/page/\061\060" 9,"/page/\061\061" 10,"/page/\061\062" 11,"/page/\061\063" 12,"/page/\061\064" 13,"/page/\061\065" 14,"/page/\061\066" 15,"/page/\061\067" 16,"/page/\061\070" 17,"/page/\061\071" 18,"/page/\062\060" 19,"/page/\062\061" 20,"/page/\062\062" 21,"/page/\062\063" 22,"/page/\062\064" 23,"/page/\062\065" 24,"/page/\062\066" 25,"/page/\062\067" 26,"/page/\062\070" 27,"/page/\062\071" 28,"/page/\063\060" 29,"/page/\063\061" 30,"/page/\063\062" 31,"/page/\063\063" 32,"/page/\063\064" 33,"/page/\063\065" 34,"/page/\063\066" 35,"/page/\063\067" 36,"/page/\063\070" 37,"/page/\063\071" 38,"/page/\064\060" 39)
set xtics ('0' 0,'100' 100,'200' 200,'300' 300,'400' 400)
set xlabel ""."\n".'the 20 largest of 40 names' textcolor rgb '#444444'
set xrange [0:428.07111111111112]
set yrange [19.600000000000001:-0.59999999999999998]
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
12 12 257 248 266
13 13 246 237 255
14 14 235 226 244
15 15 224 215 233
16 16 213 204 222
17 17 202 193 211
18 18 191 182 200
19 19 180 171 189
END
set style fill solid 0.6
set boxwidth 0.8 absolute
plot $data using ($3/2):($1+0):($3 < 0 ? $3 : 0):($3 > 0 ? $3 : 0):($1-0.4):($1+0.4) with boxxyerror lc rgb '#0072B2' title "estimate".', with its noise interval', $data using 3:($1+0):4:5 with xerrorbars pt 0 lw 1.5 lc rgb '#222222' notitle, NaN notitle
