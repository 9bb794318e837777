import TaskMeter

Suite("Blocking") {
    Benchmark(
        "sleep", "Sleeps for a millisecond: the kernel's timer wakes the task.", tasks: 1_000, warmupTasks: 20
    ) { _ in sleep(.milliseconds(1)) }

    Benchmark(
        "wait", "Waits on a semaphore that another thread signals a millisecond later, as if for an answer.",
        tasks: 1_000, warmupTasks: 20
    ) { _ in
        let responder = try Responder(delay: .milliseconds(1))
        let answer = WorkerLocal { Answer() }
        return Work { _ in
            responder.ask(try answer()).wait()
        } tearDown: {
            responder.stop()
        }
    }

    // 4,000 × 5 ms are 20 s of blocking. A global queue that starts with a thread for each core and gains one a second
    // needs T seconds, cores · T + T² ÷ 2 = 20: on 2 cores 4.6 s (4.4 s were measured: the first came at once).
    Benchmark(
        "flood", "Sleeps for five milliseconds, far more often than a queue has threads.",
        strategies: [.globalQueue, .threadPerTask, .pool(workers: 64)], tasks: 4_000, quickTasks: 1_000, warmupTasks: 20
    ) { _ in sleep(.milliseconds(5)) }
}.main()
