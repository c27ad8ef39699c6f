set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key off
set tmargin at screen 0.970833
set xtics ('1 Jan' 31536000,'01:00' 31539600,'02:00' 31543200,'03:00' 31546800,'04:00' 31550400,'05:00' 31554000)
set xlabel 'UTC, from 1971-01-01'."\073 ".'the first 8 of 12 names'
set label "/page/\061  \064\062\064" at 31554000,1 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\062  \064\060\070" at 31554000,2 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\063/with/..than/its/room  \063\071\062" at 31554000,3 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\064  \063\067\066" at 31554000,4 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\065  \063\066\060" at 31554000,5 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\066  \063\064\064" at 31554000,6 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\071  \063\063\066" at 31554000,7 left offset character 1,0 textcolor rgb '#222222'
set label "/page/\067  \063\062\070" at 31554000,8 left offset character 1,0 textcolor rgb '#222222'
set rmargin at screen 0.695833
set ylabel 'place' textcolor rgb '#444444'
set ytics ('1' 1,'2' 2,'3' 3,'4' 4,'5' 5,'6' 6,'7' 7,'8' 8)
set xrange [31536000:31554000]
set yrange [8.5:0.5]
$data << END
31536000 31536000 1 389 2 378 3 367 4 356 5 345 6 334 NaN NaN 7 323
31539600 31539600 1 396 2 392 3 388 4 384 5 380 6 336 NaN NaN 7 332
31543200 31543200 2 403 1 406 5 369 4 372 3 375 8 338 NaN NaN 7 341
31546800 31546800 1 410 3 380 2 390 5 360 4 370 7 340 8 330 6 350
31550400 31550400 1 417 2 394 4 371 3 388 5 365 7 342 NaN NaN 6 359
31554000 31554000 1 424 2 408 3 392 4 376 5 360 6 344 7 336 8 328
END
plot $data using 1:3 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "/page/\061", $data using 1:5 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#D55E00' title "/page/\062", $data using 1:7 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#009E73' title "/page/\063/with/..than/its/room", $data using 1:9 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#CC79A7' title "/page/\064", $data using 1:11 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#E69F00' title "/page/\065", $data using 1:13 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#56B4E9' title "/page/\066", $data using 1:15 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#999999' title "/page/\071", $data using 1:17 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#000000' title "/page/\067", NaN notitle
