import TaskMeter

/// Ways of being called at each point of a grid.
enum TimerMethod: String, CaseIterable, Hashable, AxisValue {
    case runLoopTimer = "run-loop-timer"
    /// Swift's default is no leeway (C has none), so this is the default as well.
    case dispatchTimer = "dispatch-timer-leeway-0"
    /// Half a period: whether leeway does anything. In libdispatch's source it does nothing on Linux.
    case dispatchTimerWithLeeway = "dispatch-timer-leeway-half"
    case asyncAfter = "async-after"
    case taskSleep = "task-sleep"
    case taskSleepWithoutTolerance = "task-sleep-tolerance-0"
    case nanosleep
    case clockNanosleep = "clock-nanosleep"
    case clockNanosleepWithoutSlack = "clock-nanosleep-slack-1ns"
    case timerDescriptor = "timerfd"
    case sleepThenSpin = "sleep-then-spin"

    var axisText: String { rawValue }

    /// Has the log told of each firing; returns when it wants no more.
    func run(_ log: FiringLog) throws {
        switch self {
        case .runLoopTimer: RunLoopTimers.repeating(log)
        case .dispatchTimer: QueueTimers.source(log, leeway: .nanoseconds(0))
        case .dispatchTimerWithLeeway: QueueTimers.source(log, leeway: .nanoseconds(Int(log.grid.period.count / 2)))
        case .asyncAfter: QueueTimers.asyncAfter(log)
        case .taskSleep: TaskTimers.sleep(log, tolerance: nil)
        case .taskSleepWithoutTolerance: TaskTimers.sleep(log, tolerance: .zero)
        case .nanosleep: ThreadTimers.nanosleep(log)
        case .clockNanosleep: ThreadTimers.clockNanosleep(log)
        case .clockNanosleepWithoutSlack: ThreadTimers.clockNanosleepWithoutSlack(log)
        case .timerDescriptor: try ThreadTimers.descriptor(log)
        case .sleepThenSpin: ThreadTimers.sleepThenSpin(log)
        }
    }

    /// Whether the kernel itself compares the due time with the clock that lateness is measured by. Such a timer cannot be early;
    /// if it is, the measurement is wrong.
    var isNeverEarly: Bool {
        switch self {
        case .clockNanosleep, .clockNanosleepWithoutSlack, .timerDescriptor, .sleepThenSpin: true
        default: false
        }
    }
}
