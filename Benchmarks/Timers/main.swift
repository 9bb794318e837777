import TaskMeter

let method = Axis("method", TimerMethod.allCases)
let period = Axis("period-ms", [1, 10], full: [100])
let load = Axis("load", "idle", "busy")
let registered = Axis("timer", TimerMode.allCases)

Suite("Timers") {
    Benchmark(
        "lateness",
        "Is called at points of a grid of due times; busy is a computing thread for each processor beside it. nanosleep "
            + "sleeps relatively: its lateness adds up.",
        axes: [method, period, load], observing: Lateness.metrics
    ) { parameters in
        Lateness.observation(
            parameters[method], periodInMilliseconds: parameters[period], isBusy: parameters[load] == "busy",
            isQuick: parameters.isQuick)
    }
    .answering(
        Experiment("Which timer fires nearest to its time?", comparing: method, along: period, by: .lateness)
    )
    .trials(atMost: 6)

    Benchmark(
        "run-loop-modes",
        "A timer of 10 ms in a loop that runs for 100 ms in a mode that is not the default one.",
        axes: [registered], observing: RunLoopModes.metrics
    ) { parameters in RunLoopModes.observation(parameters[registered]) }
    .answering(
        Experiment(
            "Which timers fire while the loop runs in another mode?", comparing: registered, by: .firedMeanwhile)
    )
    .trials(atMost: 6)
}.main()
