# TaskMeter: “throughput of Blocking/sleep”
# Draw it again: cd plots && gnuplot blocking-sleep-ee250326-throughput.gnuplot
if (!exists("output")) output = 'blocking-sleep-ee250326-throughput.svg'
set terminal svg size 920,288 dynamic noenhanced rounded font 'sans-serif,12' background '#ffffff'
set encoding utf8
set decimalsign '.'
set output output
data = 'blocking-sleep-ee250326-throughput.dat'
unset key
set border 3 lc rgb '#9a9a9a' lw 1
set tics nomirror out scale 0.5 font 'sans-serif,11' textcolor rgb '#333333'
set xtics offset 0,0.35
set lmargin at screen 0.2; set rmargin at screen 0.715
set tmargin at screen 0.9097222222222222; set bmargin at screen 0.16666666666666666
unset logscale x
set xrange [0.0:14278.916109445696]
set xtics ("0" 0.0, "2,500" 2500.0, "5,000" 5000.0, "7,500" 7500.0, "10,000" 10000.0, "12,500" 12500.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
set border 1
set yrange [-6.6:0.6]
unset ytics
set label "tasks per second that ended well, axis from zero" at graph 0.5, screen 0.041666666666666664 center noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set label "median [interval], trials" at screen 0.73, screen 0.9548611111111112 left noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set label "thread-per-task" at screen 0.19, first 0.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "11,000 [9,080, 12,900], n = 10" at screen 0.73, first 0.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set label "pool-8" at screen 0.19, first -1.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "6,860 [6,770, 6,930], n = 10" at screen 0.73, first -1.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set label "global-queue" at screen 0.19, first -2.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "2,640 [2,570, 2,700], n = 10" at screen 0.73, first -2.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set label "concurrent-queue-8" at screen 0.19, first -3.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "2,640 [2,610, 2,690], n = 10" at screen 0.73, first -3.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set label "cooperative-pool" at screen 0.19, first -4.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "1,780 [1,760, 1,820], n = 10" at screen 0.73, first -4.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set label "serial-queue" at screen 0.19, first -5.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "896 [890, 910], n = 10" at screen 0.73, first -5.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set label "resident-thread" at screen 0.19, first -6.0 right noenhanced front font 'sans-serif,12' textcolor rgb '#333333'
set label "894 [883, 914], n = 10" at screen 0.73, first -6.0 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
plot data index 0 with points pointtype 7 pointsize 0.35 linecolor rgb '#e3b9d9' notitle, \
     data index 3 with points pointtype 7 pointsize 0.35 linecolor rgb '#aed6ef' notitle, \
     data index 6 with points pointtype 7 pointsize 0.35 linecolor rgb '#efc29e' notitle, \
     data index 9 with points pointtype 7 pointsize 0.35 linecolor rgb '#9ed1c2' notitle, \
     data index 12 with points pointtype 7 pointsize 0.35 linecolor rgb '#b1abd2' notitle, \
     data index 15 with points pointtype 7 pointsize 0.35 linecolor rgb '#9ec9e2' notitle, \
     data index 18 with points pointtype 7 pointsize 0.35 linecolor rgb '#e1ce9e' notitle, \
     data index 1 with lines linewidth 3 linecolor rgb '#b5489a' notitle, \
     data index 4 with lines linewidth 3 linecolor rgb '#2a94d6' notitle, \
     data index 7 with lines linewidth 3 linecolor rgb '#d55e00' notitle, \
     data index 10 with lines linewidth 3 linecolor rgb '#00875f' notitle, \
     data index 13 with lines linewidth 3 linecolor rgb '#332288' notitle, \
     data index 16 with lines linewidth 3 linecolor rgb '#0072b2' notitle, \
     data index 19 with lines linewidth 3 linecolor rgb '#b07d00' notitle, \
     data index 2 with points pointtype 11 pointsize 1.0 linecolor rgb '#b5489a' notitle, \
     data index 5 with points pointtype 15 pointsize 1.0 linecolor rgb '#2a94d6' notitle, \
     data index 8 with points pointtype 5 pointsize 1.0 linecolor rgb '#d55e00' notitle, \
     data index 11 with points pointtype 9 pointsize 1.0 linecolor rgb '#00875f' notitle, \
     data index 14 with points pointtype 6 pointsize 1.0 linecolor rgb '#332288' notitle, \
     data index 17 with points pointtype 7 pointsize 1.0 linecolor rgb '#0072b2' notitle, \
     data index 20 with points pointtype 13 pointsize 1.0 linecolor rgb '#b07d00' notitle
