import Synchronization

/// Times that one thread found to be too long, on their way to the monitor's thread.
///
/// Unchecked Sendable: a slot is written before `written` says so with release ordering, by the one thread that
/// appends, and read after that was seen with acquire ordering, by the one that drains; it is written again only
/// after `drained` let go of it in the same manner.
final class DelayRing: @unchecked Sendable {
    static let capacity = 64

    private let slots = UnsafeMutablePointer<(begin: Int64, end: Int64)>.allocate(capacity: capacity)
    private let written = Atomic<Int>(0)
    private let drained = Atomic<Int>(0)
    private let overflowed = Atomic<Int>(0)

    deinit { slots.deallocate() }

    /// Times that found no place, because nobody had drained the ring for so long.
    var lost: Int { overflowed.load(ordering: .relaxed) }

    // hot path: no allocation, no lock, no call that can block
    func append(begin: Int64, end: Int64) {
        let place = written.load(ordering: .relaxed)
        guard place - drained.load(ordering: .acquiring) < Self.capacity else {
            overflowed.add(1, ordering: .relaxed)
            return
        }
        slots[place % Self.capacity] = (begin, end)
        written.store(place + 1, ordering: .releasing)
    }

    func drain(_ body: (_ begin: Int64, _ end: Int64) -> Void) {
        let end = written.load(ordering: .acquiring)
        for place in drained.load(ordering: .relaxed)..<end {
            let (begin, end) = slots[place % Self.capacity]
            body(begin, end)
        }
        drained.store(end, ordering: .releasing)
    }
}
