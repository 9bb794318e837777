# TaskMeter: “percentiles of spent, Blocking/sleep”
# Draw it again: cd plots && gnuplot blocking-sleep-ee250326-percentiles.gnuplot
if (!exists("output")) output = 'blocking-sleep-ee250326-percentiles.svg'
set terminal svg size 920,400 dynamic noenhanced rounded font 'sans-serif,12' background '#ffffff'
set encoding utf8
set decimalsign '.'
set output output
data = 'blocking-sleep-ee250326-percentiles.dat'
unset key
set border 3 lc rgb '#9a9a9a' lw 1
set tics nomirror out scale 0.5 font 'sans-serif,11' textcolor rgb '#333333'
set xtics offset 0,0.35
set lmargin at screen 0.085; set rmargin at screen 0.74
set tmargin at screen 0.925; set bmargin at screen 0.13
set logscale x
set xrange [0.5:0.008695652173913044]
set xtics ("50 %%" 0.5, "75 %%" 0.25, "90 %%" 0.1, "99 %%" 0.01)
set grid xtics lt 1 lw 1 lc rgb '#e6e6e6'
unset logscale y
set yrange [0.0:1700902.32]
set ytics ("0" 0.0, "0.5" 500000.0, "1" 1000000.0, "1.5" 1500000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label "share of tasks that did not take longer" at graph 0.5, screen 0.03 center noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set label "spent (ms), from zero" at screen 0.012, screen 0.9675 left noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set arrow from first 0.01, first 1635483.0 to graph 1.02, graph 0.9615384615384615 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.9615384615384615 front point pointtype 11 pointsize 0.8 linecolor rgb '#b5489a'
set label "thread-per-task  n = 1,000" at graph 1.05, graph 0.9615384615384615 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set arrow from first 0.01, first 1246055.0 to graph 1.02, graph 0.8416117340256177 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.8416117340256177 front point pointtype 15 pointsize 0.8 linecolor rgb '#2a94d6'
set label "pool-8  n = 1,000" at graph 1.05, graph 0.8416117340256177 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set arrow from first 0.01, first 1223156.0 to graph 1.02, graph 0.7881526145287625 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.7881526145287625 front point pointtype 5 pointsize 0.8 linecolor rgb '#d55e00'
set label "global-queue  n = 1,000" at graph 1.05, graph 0.7881526145287625 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set arrow from first 0.01, first 1172606.0 to graph 1.02, graph 0.5743161365413411 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.5743161365413411 front point pointtype 9 pointsize 0.8 linecolor rgb '#00875f'
set label "concurrent-queue-8  n = 1,000" at graph 1.05, graph 0.5743161365413411 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set arrow from first 0.01, first 1190091.0 to graph 1.02, graph 0.6812343755350517 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.6812343755350517 front point pointtype 6 pointsize 0.8 linecolor rgb '#332288'
set label "cooperative-pool  n = 1,000" at graph 1.05, graph 0.6812343755350517 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set arrow from first 0.01, first 1176486.0 to graph 1.02, graph 0.6277752560381964 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.6277752560381964 front point pointtype 7 pointsize 0.8 linecolor rgb '#0072b2'
set label "serial-queue  n = 1,000" at graph 1.05, graph 0.6277752560381964 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
set arrow from first 0.01, first 1216671.0 to graph 1.02, graph 0.7346934950319071 nohead front linewidth 0.75 dashtype solid linecolor rgb '#c4c4c4'
set label '' at graph 1.032, graph 0.7346934950319071 front point pointtype 13 pointsize 0.8 linecolor rgb '#b07d00'
set label "resident-thread  n = 1,000" at graph 1.05, graph 0.7346934950319071 left noenhanced front font 'sans-serif,11' textcolor rgb '#333333'
plot data index 0 with lines linewidth 2 dashtype solid linecolor rgb '#b5489a' notitle, \
     data index 2 with lines linewidth 2 dashtype solid linecolor rgb '#2a94d6' notitle, \
     data index 4 with lines linewidth 2 dashtype solid linecolor rgb '#d55e00' notitle, \
     data index 6 with lines linewidth 2 dashtype solid linecolor rgb '#00875f' notitle, \
     data index 8 with lines linewidth 2 dashtype (9,4) linecolor rgb '#332288' notitle, \
     data index 10 with lines linewidth 2 dashtype solid linecolor rgb '#0072b2' notitle, \
     data index 12 with lines linewidth 2 dashtype solid linecolor rgb '#b07d00' notitle, \
     data index 1 with points pointtype 11 pointsize 0.7 linecolor rgb '#b5489a' notitle, \
     data index 3 with points pointtype 15 pointsize 0.7 linecolor rgb '#2a94d6' notitle, \
     data index 5 with points pointtype 5 pointsize 0.7 linecolor rgb '#d55e00' notitle, \
     data index 7 with points pointtype 9 pointsize 0.7 linecolor rgb '#00875f' notitle, \
     data index 9 with points pointtype 6 pointsize 0.7 linecolor rgb '#332288' notitle, \
     data index 11 with points pointtype 7 pointsize 0.7 linecolor rgb '#0072b2' notitle, \
     data index 13 with points pointtype 13 pointsize 0.7 linecolor rgb '#b07d00' notitle
