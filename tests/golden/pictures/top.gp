set encoding utf8
set terminal svg noenhanced dynamic font 'sans-serif,13' background rgb 'white' size 960,480
set border 3 lc rgb '#888888'
set tics nomirror out scale 0.5 textcolor rgb '#222222'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set key outside right top vertical Left reverse
set tmargin at screen 0.970833
set xtics ('1 Jan' 31536000,'00:30' 31537800,'01:00' 31539600,'01:30' 31541400,'02:00' 31543200,'02:30' 31545000,'03:00' 31546800,'03:30' 31548600,'04:00' 31550400,'04:30' 31552200,'05:00' 31554000)
set xlabel 'UTC, from 1971-01-01'."\073 ".'the 8 largest of 12 names'
set ytics ('300' 300,'350' 350,'400' 400)
set xrange [31536000:31554000]
set yrange [297.80000000000001:438.19999999999999]
$data << END
31536000 31536000 389 380 398 378 369 387 367 358 376 356 347 365 345 336 354 323 314 332 334 325 343 312 303 321
31539600 31539600 396 387 405 392 383 401 388 379 397 384 375 393 380 371 389 332 323 341 336 327 345 328 319 337
31543200 31543200 403 394 412 406 397 415 369 360 378 372 363 381 375 366 384 341 332 350 338 329 347 344 335 353
31546800 31546800 410 401 419 380 371 389 390 381 399 360 351 369 370 361 379 350 341 359 340 331 349 320 311 329
31550400 31550400 417 408 426 394 385 403 371 362 380 388 379 397 365 356 374 359 350 368 342 333 351 336 327 345
31554000 31554000 424 415 433 408 399 417 392 383 401 376 367 385 360 351 369 328 319 337 344 335 353 312 303 321
END
plot $data using 1:4:5 with filledcurves fs transparent solid 0.2 noborder lc rgb '#0072B2' title '', $data using 1:7:8 with filledcurves fs transparent solid 0.2 noborder lc rgb '#D55E00' title '', $data using 1:10:11 with filledcurves fs transparent solid 0.2 noborder lc rgb '#009E73' title '', $data using 1:13:14 with filledcurves fs transparent solid 0.2 noborder lc rgb '#CC79A7' title '', $data using 1:16:17 with filledcurves fs transparent solid 0.2 noborder lc rgb '#E69F00' title '', $data using 1:19:20 with filledcurves fs transparent solid 0.2 noborder lc rgb '#56B4E9' title '', $data using 1:22:23 with filledcurves fs transparent solid 0.2 noborder lc rgb '#999999' title '', $data using 1:25:26 with filledcurves fs transparent solid 0.2 noborder lc rgb '#000000' title '', $data using 1:3 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#0072B2' title "/page/\061", $data using 1:6 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#D55E00' title "/page/\062", $data using 1:9 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#009E73' title "/page/\063/with/..than/its/room", $data using 1:12 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#CC79A7' title "/page/\064", $data using 1:15 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#E69F00' title "/page/\065", $data using 1:18 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#56B4E9' title "/page/\067", $data using 1:21 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#999999' title "/page/\066", $data using 1:24 with linespoints pt 7 ps 0.5 lw 2 dt 1 lc rgb '#000000' title "/page/\070", NaN notitle
