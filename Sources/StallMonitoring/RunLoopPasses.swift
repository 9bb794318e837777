import CStacks
import Clocks
import CoreFoundation
import Results
import Synchronization

/// The passes of a run loop, stamped by observers that run on its thread.
///
/// A pass is the time in which the loop looks at nothing new. It begins when the loop is entered, wakes, or looks at
/// its timers; it ends when the loop waits, is left, or looks at its timers once more without having waited. (A loop
/// with work at hand does not wait and sends no before-waiting: to it each round is a pass.) A loop that is run from
/// within a pass ends that pass, for it takes work; where it is left, a new one begins.
///
/// Thread-safe: all but `longPasses` is written by the loop's thread alone.
final class RunLoopPasses: Sendable {
    private static let none = Int64.min

    private let clock: MonotonicClock
    private let threshold: Int64
    /// When the pass began that is in progress, or `none`.
    private let passBegin = Atomic<Int64>(none)
    private let hasLookedAtSources = Atomic<Bool>(false)
    private let depth = Atomic<Int>(0)
    private let threadNumber = Atomic<Int32>(0)
    /// Passes that were over and longer than the threshold.
    let longPasses = DelayRing()

    init(clock: MonotonicClock, threshold: Nanoseconds) {
        self.clock = clock
        self.threshold = threshold.count
    }

    /// When the pass began that is in progress; nil where the loop waits or does not run.
    var current: Instant? {
        let begin = passBegin.load(ordering: .acquiring)
        return begin == Self.none ? nil : Instant(sinceOrigin: begin)
    }

    /// The loop's thread, once it has been seen.
    var thread: Int32? {
        let number = threadNumber.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    // hot path: no allocation, no lock, no call that can block (but two system calls the first time)
    func note(_ activity: CFRunLoopActivity) {
        let now = clock.now().sinceOrigin
        if threadNumber.load(ordering: .relaxed) == 0 {
            threadNumber.store(cstacks_own_thread(), ordering: .relaxed)
            cstacks_allow_capture()
        }
        // A loop that ran already when its watch was added was entered unseen.
        if activity != .entry, depth.load(ordering: .relaxed) == 0 { depth.store(1, ordering: .relaxed) }
        switch activity {
        case .beforeWaiting: finish(now)
        case .afterWaiting: start(now)
        case .beforeTimers:
            if hasLookedAtSources.load(ordering: .relaxed) || passBegin.load(ordering: .relaxed) == Self.none {
                finish(now)
                start(now)
            }
        case .beforeSources: hasLookedAtSources.store(true, ordering: .relaxed)
        case .entry:
            depth.store(depth.load(ordering: .relaxed) + 1, ordering: .relaxed)
            finish(now)
            start(now)
        case .exit:
            let outer = depth.load(ordering: .relaxed) - 1
            depth.store(outer, ordering: .relaxed)
            finish(now)
            if outer > 0 { start(now) }
        default: break
        }
    }

    @inline(__always)
    private func start(_ now: Int64) {
        hasLookedAtSources.store(false, ordering: .relaxed)
        passBegin.store(now, ordering: .releasing)
    }

    @inline(__always)
    private func finish(_ now: Int64) {
        let begin = passBegin.load(ordering: .relaxed)
        guard begin != Self.none else { return }
        // In the ring before it is no more in progress: who sees neither would take a stall for one without an end.
        if now - begin > threshold { longPasses.append(begin: begin, end: now) }
        passBegin.store(Self.none, ordering: .releasing)
    }
}

/// The observers of a run loop: one that is called before all others and one after, so that what other observers take
/// is the pass's, too.
///
/// Unchecked Sendable: Core Foundation's run loops and observers may be added and removed from any thread.
final class RunLoopObservers: @unchecked Sendable {
    private let runLoop: CFRunLoop
    private let modes: [CFRunLoopMode]
    private let observers: [CFRunLoopObserver]

    init(_ passes: RunLoopPasses, of runLoop: CFRunLoop, in modes: [CFRunLoopMode]) {
        func observer(_ activities: CFRunLoopActivity, order: CFIndex) -> CFRunLoopObserver? {
            // The observer owns the passes, and Core Foundation keeps the observer while it calls it.
            var context = CFRunLoopObserverContext(
                version: 0, info: Unmanaged.passUnretained(passes).toOpaque(),
                retain: { UnsafeRawPointer(Unmanaged<RunLoopPasses>.fromOpaque($0!).retain().toOpaque()) },
                release: { Unmanaged<RunLoopPasses>.fromOpaque($0!).release() }, copyDescription: nil)
            return CFRunLoopObserverCreate(
                kCFAllocatorDefault, activities.rawValue, true, order,
                {
                    Unmanaged<RunLoopPasses>.fromOpaque($2!)._withUnsafeGuaranteedRef { [activity = $1] in
                        $0.note(activity)
                    }
                },
                &context)
        }
        self.runLoop = runLoop
        self.modes = modes
        observers = [
            observer([.entry, .beforeTimers, .beforeSources, .afterWaiting], order: .min),
            observer([.beforeWaiting, .exit], order: .max),
        ].compactMap { $0 }
        for observer in observers { for mode in modes { CFRunLoopAddObserver(runLoop, observer, mode) } }
    }

    /// No observer is called any more, but for one that is just being called.
    func remove() {
        // Not invalidated: that would let go of the passes also while the loop's thread stamps them.
        for observer in observers { for mode in modes { CFRunLoopRemoveObserver(runLoop, observer, mode) } }
    }
}
