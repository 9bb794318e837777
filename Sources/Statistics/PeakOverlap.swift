/// How many of the given spans are open at once, at most. A span that ends when another begins does not overlap it.
package func peakOverlap(begins: [Int64], ends: [Int64]) -> Int {
    let starts = begins.sorted()
    let stops = ends.sorted()
    var open = 0
    var peak = 0
    var stop = 0
    for start in starts {
        while stop < stops.count, stops[stop] <= start {
            open -= 1
            stop += 1
        }
        open += 1
        peak = max(peak, open)
    }
    return peak
}
