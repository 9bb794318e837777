import Synchronization

/// Tells the first who asks from all others. Thread-safe.
struct Once: ~Copyable, Sendable {
    private let asked = Atomic<Bool>(false)

    func isFirst() -> Bool { !asked.exchange(true, ordering: .acquiringAndReleasing) }
}
