# TaskMeter: “timeline of Blocking/sleep”
# Draw it again: cd plots && gnuplot blocking-sleep-ee250326-timeline.gnuplot
if (!exists("output")) output = 'blocking-sleep-ee250326-timeline.svg'
set terminal svg size 920,857 dynamic noenhanced butt font 'sans-serif,12' background '#ffffff'
set encoding utf8
set decimalsign '.'
set output output
data = 'blocking-sleep-ee250326-timeline.dat'
unset key
set border 3 lc rgb '#9a9a9a' lw 1
set tics nomirror out scale 0.5 font 'sans-serif,11' textcolor rgb '#333333'
set xtics offset 0,0.35
set multiplot

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.9719953325554259; set bmargin at screen 0.691948658109685
unset logscale x
set xrange [0.0:9036521.0]
set xtics ("0" 0.0, "2" 2000000.0, "4" 4000000.0, "6" 6000000.0, "8 ms" 8000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [47.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.9848308051341891 front point pointtype 11 pointsize 0.8 linecolor rgb '#b5489a'
set label "thread-per-task" at screen 0.053000000000000005, screen 0.9848308051341891 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "48 of 100 workers, 100 tasks in 9.04 ms (trial 68)" at graph 1.0, screen 0.9848308051341891 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 0 with lines linewidth 1.1 linecolor rgb '#e3b9d9' notitle, \
     data index 1 with lines linewidth 2.75 linecolor rgb '#b5489a' notitle

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.6347724620770128; set bmargin at screen 0.5320886814469078
unset logscale x
set xrange [0.0:14569898.0]
set xtics ("0" 0.0, "5" 5000000.0, "10 ms" 10000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [7.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.6476079346557759 front point pointtype 15 pointsize 0.8 linecolor rgb '#2a94d6'
set label "pool-8" at screen 0.053000000000000005, screen 0.6476079346557759 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "8 workers, 100 tasks in 14.6 ms (trial 6)" at graph 1.0, screen 0.6476079346557759 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 2 with lines linewidth 2.42 linecolor rgb '#aed6ef' notitle, \
     data index 3 with lines linewidth 6.050000000000001 linecolor rgb '#2a94d6' notitle

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.4749124854142357; set bmargin at screen 0.41890315052508753
unset logscale x
set xrange [0.0:37790173.0]
set xtics ("0" 0.0, "10" 10000000.0, "20" 20000000.0, "30 ms" 30000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [2.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.4877479579929988 front point pointtype 5 pointsize 0.8 linecolor rgb '#d55e00'
set label "global-queue" at screen 0.053000000000000005, screen 0.4877479579929988 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "3 workers, 100 tasks in 37.8 ms (trial 48)" at graph 1.0, screen 0.4877479579929988 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 4 with lines linewidth 3.52 linecolor rgb '#efc29e' notitle, \
     data index 5 with lines linewidth 8.8 linecolor rgb '#d55e00' notitle

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.36172695449241543; set bmargin at screen 0.30571761960326727
unset logscale x
set xrange [0.0:37832792.0]
set xtics ("0" 0.0, "10" 10000000.0, "20" 20000000.0, "30 ms" 30000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [2.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.37456242707117854 front point pointtype 9 pointsize 0.8 linecolor rgb '#00875f'
set label "concurrent-queue-8" at screen 0.053000000000000005, screen 0.37456242707117854 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "3 workers, 100 tasks in 37.8 ms (trial 23)" at graph 1.0, screen 0.37456242707117854 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 6 with lines linewidth 3.52 linecolor rgb '#9ed1c2' notitle, \
     data index 7 with lines linewidth 8.8 linecolor rgb '#00875f' notitle

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.24854142357059505; set bmargin at screen 0.2112018669778296
unset logscale x
set xrange [0.0:56278439.0]
set xtics ("0" 0.0, "10" 10000000.0, "20" 20000000.0, "30" 30000000.0, "40" 40000000.0, "50 ms" 50000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [1.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.26137689614935816 front point pointtype 6 pointsize 0.8 linecolor rgb '#332288'
set label "cooperative-pool" at screen 0.053000000000000005, screen 0.26137689614935816 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "2 workers, 100 tasks in 56.3 ms (trial 5)" at graph 1.0, screen 0.26137689614935816 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 8 with lines linewidth 3.52 linecolor rgb '#b1abd2' notitle, \
     data index 9 with lines linewidth 8.8 linecolor rgb '#332288' notitle

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.1540256709451575; set bmargin at screen 0.1353558926487748
unset logscale x
set xrange [0.0:111463272.0]
set xtics ("0" 0.0, "20" 20000000.0, "40" 40000000.0, "60" 60000000.0, "80" 80000000.0, "100 ms" 100000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [0.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.16686114352392065 front point pointtype 7 pointsize 0.8 linecolor rgb '#0072b2'
set label "serial-queue" at screen 0.053000000000000005, screen 0.16686114352392065 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "1 worker, 100 tasks in 111 ms (trial 13)" at graph 1.0, screen 0.16686114352392065 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 10 with lines linewidth 3.52 linecolor rgb '#9ec9e2' notitle, \
     data index 11 with lines linewidth 8.8 linecolor rgb '#0072b2' notitle

unset label; unset arrow
set lmargin at screen 0.035; set rmargin at screen 0.985
set tmargin at screen 0.07817969661610269; set bmargin at screen 0.05950991831971997
unset logscale x
set xrange [0.0:111724544.0]
set xtics ("0" 0.0, "20" 20000000.0, "40" 40000000.0, "60" 60000000.0, "80" 80000000.0, "100 ms" 100000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [0.5:-0.5]
unset ytics
set label '' at screen 0.042, screen 0.09101516919486581 front point pointtype 13 pointsize 0.8 linecolor rgb '#b07d00'
set label "resident-thread" at screen 0.053000000000000005, screen 0.09101516919486581 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "1 worker, 100 tasks in 112 ms (trial 25)" at graph 1.0, screen 0.09101516919486581 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 12 with lines linewidth 3.52 linecolor rgb '#e1ce9e' notitle, \
     data index 13 with lines linewidth 8.8 linecolor rgb '#b07d00' notitle
unset label; unset arrow
unset multiplot
