# TaskMeter: “spent over time, Blocking/sleep”
# Draw it again: cd plots && gnuplot blocking-sleep-ee250326-spent-over-time.gnuplot
if (!exists("output")) output = 'blocking-sleep-ee250326-spent-over-time.svg'
set terminal svg size 920,558 dynamic noenhanced rounded font 'sans-serif,12' background '#ffffff'
set encoding utf8
set decimalsign '.'
set output output
data = 'blocking-sleep-ee250326-spent-over-time.dat'
unset key
set border 3 lc rgb '#9a9a9a' lw 1
set tics nomirror out scale 0.5 font 'sans-serif,11' textcolor rgb '#333333'
set xtics offset 0,0.35
set multiplot

unset label; unset arrow
set label "spent (ms), from zero; time since the trial\047s first submission" at screen 0.012, screen 0.978494623655914 left noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set lmargin at screen 0.06304347826086956; set rmargin at screen 0.3521739130434783
set tmargin at screen 0.9139784946236559; set bmargin at screen 0.6810035842293907
unset logscale x
set xrange [0.0:11434615.01]
set xtics ("0" 0.0, "4" 4000000.0, "8 ms" 8000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("0" 0.0, "1" 1000000.0, "2" 2000000.0, "3" 3000000.0, "4" 4000000.0, "5" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 11 pointsize 0.8 linecolor rgb '#b5489a'
set label "thread-per-task" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 0 with lines linewidth 1.6 linecolor rgb '#e3b9d9' notitle, \
     data index 1 with lines linewidth 2.4 linecolor rgb '#b5489a' notitle

unset label; unset arrow
set lmargin at screen 0.3695652173913043; set rmargin at screen 0.658695652173913
set tmargin at screen 0.9139784946236559; set bmargin at screen 0.6810035842293907
unset logscale x
set xrange [0.0:14048645.5]
set xtics ("0" 0.0, "5" 5000000.0, "10 ms" 10000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("" 0.0, "" 1000000.0, "" 2000000.0, "" 3000000.0, "" 4000000.0, "" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 15 pointsize 0.8 linecolor rgb '#2a94d6'
set label "pool-8" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 2 with lines linewidth 1.6 linecolor rgb '#aed6ef' notitle, \
     data index 3 with lines linewidth 2.4 linecolor rgb '#2a94d6' notitle

unset label; unset arrow
set lmargin at screen 0.6760869565217391; set rmargin at screen 0.9652173913043478
set tmargin at screen 0.9139784946236559; set bmargin at screen 0.6810035842293907
unset logscale x
set xrange [0.0:38724467.57]
set xtics ("0" 0.0, "10" 10000000.0, "20" 20000000.0, "30 ms" 30000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("" 0.0, "" 1000000.0, "" 2000000.0, "" 3000000.0, "" 4000000.0, "" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 5 pointsize 0.8 linecolor rgb '#d55e00'
set label "global-queue" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 4 with lines linewidth 1.6 linecolor rgb '#efc29e' notitle, \
     data index 5 with lines linewidth 2.4 linecolor rgb '#d55e00' notitle

unset label; unset arrow
set lmargin at screen 0.06304347826086956; set rmargin at screen 0.3521739130434783
set tmargin at screen 0.5949820788530467; set bmargin at screen 0.36200716845878134
unset logscale x
set xrange [0.0:37588733.68]
set xtics ("0" 0.0, "10" 10000000.0, "20" 20000000.0, "30 ms" 30000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("0" 0.0, "1" 1000000.0, "2" 2000000.0, "3" 3000000.0, "4" 4000000.0, "5" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 9 pointsize 0.8 linecolor rgb '#00875f'
set label "concurrent-queue-8" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 6 with lines linewidth 1.6 linecolor rgb '#9ed1c2' notitle, \
     data index 7 with lines linewidth 2.4 linecolor rgb '#00875f' notitle

unset label; unset arrow
set lmargin at screen 0.3695652173913043; set rmargin at screen 0.658695652173913
set tmargin at screen 0.5949820788530467; set bmargin at screen 0.36200716845878134
unset logscale x
set xrange [0.0:56948877.27]
set xtics ("0" 0.0, "20" 20000000.0, "40 ms" 40000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("" 0.0, "" 1000000.0, "" 2000000.0, "" 3000000.0, "" 4000000.0, "" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 6 pointsize 0.8 linecolor rgb '#332288'
set label "cooperative-pool" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 8 with lines linewidth 1.6 linecolor rgb '#b1abd2' notitle, \
     data index 9 with lines linewidth 2.4 linecolor rgb '#332288' notitle

unset label; unset arrow
set lmargin at screen 0.6760869565217391; set rmargin at screen 0.9652173913043478
set tmargin at screen 0.5949820788530467; set bmargin at screen 0.36200716845878134
unset logscale x
set xrange [0.0:112744310.3]
set xtics ("0" 0.0, "40" 40000000.0, "80 ms" 80000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("" 0.0, "" 1000000.0, "" 2000000.0, "" 3000000.0, "" 4000000.0, "" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 7 pointsize 0.8 linecolor rgb '#0072b2'
set label "serial-queue" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 10 with lines linewidth 1.6 linecolor rgb '#9ec9e2' notitle, \
     data index 11 with lines linewidth 2.4 linecolor rgb '#0072b2' notitle

unset label; unset arrow
set lmargin at screen 0.06304347826086956; set rmargin at screen 0.3521739130434783
set tmargin at screen 0.2759856630824373; set bmargin at screen 0.043010752688172005
unset logscale x
set xrange [0.0:114425855.26]
set xtics ("0" 0.0, "40" 40000000.0, "80 ms" 80000000.0)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:5483360.48]
set ytics ("0" 0.0, "1" 1000000.0, "2" 2000000.0, "3" 3000000.0, "4" 4000000.0, "5" 5000000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label '' at graph 0.015, graph 1.0846153846153845 front point pointtype 13 pointsize 0.8 linecolor rgb '#b07d00'
set label "resident-thread" at graph 0.09022556390977443, graph 1.0846153846153845 left noenhanced front font 'sans-serif:Bold,12' textcolor rgb '#333333'
set label "n = 1,000" at graph 1.0, graph 1.0846153846153845 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
plot data index 12 with lines linewidth 1.6 linecolor rgb '#e1ce9e' notitle, \
     data index 13 with lines linewidth 2.4 linecolor rgb '#b07d00' notitle
unset multiplot
