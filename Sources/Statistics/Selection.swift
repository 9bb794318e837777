/// The value that would stand at `index` if the values were in ascending order, without putting them all in order.
///
/// Hoare’s selection (“Algorithm 65: Find”, 1961) with pivots drawn at random, from a fixed seed, so that no order of
/// values is a bad one; equal values are set aside together, so that many of them are not one either. The work grows
/// with the number of values. It moves the values about.
package func select(_ index: Int, in values: inout [Double]) -> Double {
    var random = SplitMix64(seed: 0)
    var low = 0
    var high = values.count - 1
    while low < high {
        let pivot = values[low + random.next(below: high - low + 1)]
        // Three parts: below the pivot, equal to it, above it.
        var (smaller, next, larger) = (low, low, high)
        while next <= larger {
            if values[next] < pivot {
                values.swapAt(smaller, next)
                smaller += 1
                next += 1
            } else if values[next] > pivot {
                values.swapAt(larger, next)
                larger -= 1
            } else {
                next += 1
            }
        }
        if index < smaller {
            high = smaller - 1
        } else if index > larger {
            low = larger + 1
        } else {
            return pivot
        }
    }
    return values[index]
}
