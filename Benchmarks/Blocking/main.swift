import Apparatus
import TaskMeter

Suite("Blocking") {
    Benchmark(
        "sleep", "Sleeps for a millisecond: the kernel's timer wakes the task.", tasks: 300, warmupTasks: 20
    ) { _ in nap(.milliseconds(1)) }
    .called("many short sleeps at once")

    Benchmark(
        "wait", "Waits on a semaphore that another thread signals a millisecond later, as if for an answer.",
        tasks: 300, warmupTasks: 20
    ) { _ in
        let responder = try Responder(delay: .milliseconds(1))
        let answer = WorkerLocal { Answer() }
        return Work { _ in
            responder.ask(try answer()).wait()
        } tearDown: {
            responder.stop()
        }
    }
    .called("work that waits a millisecond for an answer")

    // The same sleep when tasks come by themselves, as requests of many users do: two processors whose threads block can serve
    // 1,850 a second at most, and who comes then waits. A closed loop would never show it, for it waits as well.
    Benchmark(
        "arrivals", "Sleeps for a millisecond, 1,500 times a second, whoever is still at it.", tasks: 1_000,
        warmupTasks: 20,
        load: .open(perSecond: 1_500)
    ) { _ in nap(.milliseconds(1)) }
    .called("1,500 blocking tasks of a millisecond a second")
    .trials(atMost: 7)
}.main()
