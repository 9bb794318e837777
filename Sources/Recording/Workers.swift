import CLinux
import Synchronization

/// Numbers threads 0, 1, 2… in the order in which they first ask.
///
/// A thread keeps its number in eight bytes of its own, so that asking again costs no lock and no look-up. The number
/// holds for one `Workers` at a time: a thread that alternates between two gets new numbers. Thread-safe.
final class Workers: Sendable {
    private let generation: UInt64
    private let count = Atomic<Int>(0)

    private static let generations = Atomic<UInt64>(0)

    init() { generation = Self.generations.add(1, ordering: .relaxed).newValue << 32 }

    /// The calling thread's number.
    // hot path: no allocation, no lock, no call that can block
    func current() -> Int {
        let slot = clinux_worker_slot()!
        let kept = slot.pointee
        if kept & 0xffff_ffff_0000_0000 == generation { return Int(kept & 0xffff_ffff) }
        let number = count.add(1, ordering: .relaxed).oldValue
        slot.pointee = generation | UInt64(number)
        return number
    }
}
