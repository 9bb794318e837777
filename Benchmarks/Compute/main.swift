import TaskMeter

Suite("Compute") {
    Benchmark("sort", "Sorts 1,000 random integers in an array of its own.", tasks: 2_000) { _ in
        let arrays = randomArrays()
        return Work { task in blackHole(arrays[task.id.number % arrays.count].sorted()) }
    }
    .called("computing of some 30 microseconds")
    Benchmark("hash", "Computes the SHA-256 of 1 KiB, a few microseconds of work.", tasks: 2_000) { _ in
        try hashing(bytes: 1_024)
    }
    .called("computing of some microseconds")
    Benchmark(
        "hash-1ms", "Computes the SHA-256 of 200 KiB, about a millisecond of work.", tasks: 200, warmupTasks: 20
    ) { _ in
        try hashing(bytes: 204_800)
    }
    .called("computing of a millisecond")

    // Code of micro- and nanoseconds, by itself: sampled, on one thread.
    Benchmark("sort-in-place", "Sorts 1,000 random integers in the array that they are in.") { _ in
        let arrays = Turns(randomArrays())
        return Iteration(setUp: { uniqueCopy(of: arrays.next()) }) { numbers in numbers.sort() }
    }
    Benchmark("lookup", "Looks up a thousand keys, one after the other, in a dictionary that holds them all.") { _ in
        let keys = randomArrays()[0]
        let table = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0 &+ 1) })
        return Iteration { for key in identity(keys) { blackHole(table[key]) } }
    }
}.main()
