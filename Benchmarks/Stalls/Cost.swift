import Apparatus
import StallMonitoring
import TaskMeter

private let monitoring = Axis("monitor", "off", "on", "on-without-stacks")

private let share = Metric("processor_share", .count, "share of a processor, in percent")

/// What the monitor takes at its defaults, for a run loop, a queue and an actor that are all busy with short blocks every 5 ms. The
/// difference between on and off is what it adds; it must be less than 1 % of a processor.
let cost = Benchmark(
    "cost", "Keeps three watched things busy with a short block every 5 ms.", axes: [monitoring], observing: [share]
) { parameters in
    let way = parameters[monitoring]
    let length = Nanoseconds.milliseconds(parameters.isQuick ? 100 : 500)
    return Observing { observer in
        let watched = [try Watched(.runLoop), try Watched(.serialQueue), try Watched(.actor)]
        let monitor = way == "off" ? nil : try StallMonitor(capturesStacks: way == "on")
        if let monitor { for each in watched { _ = each.watch(monitor) } }
        let clock = observer.clock
        func tick(until end: Instant) {
            while clock.now() < end {
                for each in watched { each.run {} }
                nap(.milliseconds(5))
            }
        }
        // Threads are made, and the first beats sent, before anything counts.
        tick(until: clock.now() + .milliseconds(50))
        let begin = clock.now()
        let used = processorTime()
        tick(until: begin + length)
        observer.tell(share, 100 * Double((processorTime() - used).count) / Double((clock.now() - begin).count))
        monitor?.stop()
        for each in watched { each.end() }
    }
}
.answering(Experiment("What does the monitor of stalls cost?", comparing: monitoring, by: share))
.trials(atMost: 7)
