import TaskMeter

extension Metric {
    static let lateness = Metric("lateness", .nanoseconds, "median lateness")
    static let latenessP90 = Metric("lateness_p90", .nanoseconds, "lateness at p90")
    static let latenessMax = Metric("lateness_max", .nanoseconds, "greatest lateness")
    static let driftPerPeriod = Metric("drift_per_period", .nanoseconds, "drift per period")
    static let mergedFirings = Metric("merged_firings", .count, "firings merged into later ones")
    static let missedFirings = Metric("missed_firings", .count, "firings that never came")
    static let earlyFirings = Metric("early_firings", .count, "firings before their time")
}

/// How late a timer is, against a grid of due times that is fixed beforehand. So a timer that sleeps for a period again and
/// again is the later the longer it runs, and one that merges what it missed is as late as the first that it missed.
enum Lateness {
    static let metrics: [Metric] = [
        .lateness, .latenessP90, .latenessMax, .driftPerPeriod, .mergedFirings, .missedFirings, .earlyFirings,
    ]

    static func observation(_ method: TimerMethod, periodInMilliseconds: Int, isBusy: Bool, isQuick: Bool)
        -> Observing
    {
        let count = points(periodInMilliseconds: periodInMilliseconds, isQuick: isQuick)
        return Observing { observer in
            let busy = isBusy ? try BusyThreads() : nil
            defer { busy?.stop() }
            let log = FiringLog(observer, period: .milliseconds(Double(periodInMilliseconds)), count: count)
            try method.run(log)
            let course = log.course()
            guard course.early == 0 || !method.isNeverEarly else { throw ClocksDisagree(early: course.early) }
            tell(course, observer)
        }
    }

    /// A percentile of 0.9 takes 100 points; as many of 10 ms would take a second.
    private static func points(periodInMilliseconds period: Int, isQuick: Bool) -> Int {
        switch period {
        case ..<10: isQuick ? 40 : 100
        case ..<100: isQuick ? 6 : 18
        default: isQuick ? 6 : 10
        }
    }

    private static func tell(_ course: TimerCourse, _ observer: Observer) {
        let all = course.points.count + course.missed
        let missed = "\(course.missed) of \(all) firings did not come within a second after the last was due"
        func tell(_ metric: Metric, _ time: Nanoseconds?) {
            if let time { observer.tell(metric, time) } else { observer.tell(metric, unavailable: missed) }
        }
        tell(.lateness, course.lateness(percentile: 0.5))
        if all >= 100 {
            tell(.latenessP90, course.lateness(percentile: 0.9))
        } else {
            observer.tell(.latenessP90, unavailable: "it needs 100 firings, there are \(all)")
        }
        tell(.latenessMax, course.missed == 0 ? course.greatestLateness : nil)
        if let drift = course.driftPerPeriod {
            observer.tell(.driftPerPeriod, drift)
        } else {
            observer.tell(.driftPerPeriod, unavailable: missed)
        }
        observer.tell(.mergedFirings, course.merged)
        observer.tell(.missedFirings, course.missed)
        observer.tell(.earlyFirings, course.early)
    }
}

/// A sleep that the kernel ends after its due time seemed to end before it.
struct ClocksDisagree: Error, CustomStringConvertible {
    var early: Int
    var description: String {
        "\(early) sleeps seemed to end before their due time, which the kernel does not do: the clocks disagree"
    }
}
