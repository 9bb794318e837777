# TaskMeter: “samples of Compute/sort-in-place”
# Draw it again: cd plots && gnuplot compute-sort-in-place-54e42e3f-samples.gnuplot
if (!exists("output")) output = 'compute-sort-in-place-54e42e3f-samples.svg'
set terminal svg size 920,290 dynamic noenhanced rounded font 'sans-serif,12' background '#ffffff'
set encoding utf8
set decimalsign '.'
set output output
data = 'compute-sort-in-place-54e42e3f-samples.dat'
unset key
set border 3 lc rgb '#9a9a9a' lw 1
set tics nomirror out scale 0.5 font 'sans-serif,11' textcolor rgb '#333333'
set xtics offset 0,0.35
set label "time of an iteration (µs), less an empty one; the axis need not begin at zero" at screen 0.012, screen 0.9586206896551724 left noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set label "1,000 samples, 10 trials" at graph 1.0, screen 0.9586206896551724 right noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set lmargin at screen 0.07173913043478261; set rmargin at screen 0.9826086956521739
set tmargin at screen 0.8620689655172413; set bmargin at screen 0.15172413793103448
set xrange [0:10.0]
set xtics ("0" 0.5, "9" 1.5, "20" 2.5, "33" 3.5, "36" 4.5, "52" 5.5, "59" 6.5, "66" 7.5, "75" 8.5, "82" 9.5)
unset logscale y
set yrange [28530.82:127318.18]
set ytics ("40" 40000.0, "60" 60000.0, "80" 80000.0, "100" 100000.0, "120" 120000.0)
set grid ytics lt 1 lw 1 lc rgb '#e6e6e6'
set label "trial" at graph 0.5, screen 0.034482758620689655 center noenhanced front font 'sans-serif,11' textcolor rgb '#5c5c5c'
set object 1 rectangle from graph 0, first 35156.0 to graph 1, first 57447.5 behind fillcolor rgb '#eef1f4' fillstyle solid noborder
set arrow from graph 0.0, first 52460.75 to graph 1.0, first 52460.75 nohead back linewidth 1.0 dashtype (4,3) linecolor rgb '#8a8f96'
set arrow from first 1.0, graph 0.0 to first 1.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 2.0, graph 0.0 to first 2.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 3.0, graph 0.0 to first 3.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 4.0, graph 0.0 to first 4.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 5.0, graph 0.0 to first 5.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 6.0, graph 0.0 to first 6.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 7.0, graph 0.0 to first 7.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 8.0, graph 0.0 to first 8.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
set arrow from first 9.0, graph 0.0 to first 9.0, graph 1.0 nohead back linewidth 1.0 dashtype solid linecolor rgb '#e6e6e6'
plot data index 0 with lines linewidth 1.6 linecolor rgb '#9ec9e2' notitle, \
     data index 1 with lines linewidth 2.4 linecolor rgb '#0072b2' notitle, \
     data index 2 with lines linewidth 1.4 linecolor rgb '#333333' notitle, \
     data index 3 with points pointtype 9 pointsize 0.5 linecolor rgb '#0072b2' notitle
