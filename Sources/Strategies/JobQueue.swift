/// What was submitted. A struct around the closure: in generic containers and results a bare closure is wrapped in a
/// second one, which would cost an allocation for each job.
struct Job {
    let run: @Sendable () -> Void

    init(_ run: consuming @escaping @Sendable () -> Void) { self.run = run }

    /// Runs it. Not inlined: in a loop of a worker, the compiler would count a reference more for the time of the call.
    @inline(never) func callAsFunction() { run() }
}

/// Jobs in the order of their arrival, in a ring that grows. Its owner's lock guards it.
///
/// Plain memory and no array: a job is moved in and out, where an array would count references twice at each end and
/// check that it is not shared.
final class JobQueue {
    private struct Ring {
        var places: UnsafeMutablePointer<Job>
        /// A power of two, so that a place in the ring is a mask away.
        var capacity: Int
        var head = 0
        var count = 0
    }

    private let ring = UnsafeMutablePointer<Ring>.allocate(capacity: 1)

    init(capacity: Int = 64) {
        let places = UnsafeMutablePointer<Job>.allocate(capacity: capacity)
        ring.initialize(to: Ring(places: places, capacity: capacity))
    }

    deinit {
        removeAll()
        ring.pointee.places.deallocate()
        ring.deallocate()
    }

    var count: Int { ring.pointee.count }
    var isEmpty: Bool { ring.pointee.count == 0 }

    func append(_ job: Job) {
        if ring.pointee.count == ring.pointee.capacity { grow() }
        let place = (ring.pointee.head + ring.pointee.count) & (ring.pointee.capacity - 1)
        (ring.pointee.places + place).initialize(to: job)
        ring.pointee.count += 1
    }

    func popFirst() -> Job? {
        guard ring.pointee.count > 0 else { return nil }
        let place = ring.pointee.head
        ring.pointee.head = (place + 1) & (ring.pointee.capacity - 1)
        ring.pointee.count -= 1
        return (ring.pointee.places + place).move()
    }

    /// Releases the jobs one by one, first to last.
    func removeAll() { while popFirst() != nil {} }

    private func grow() {
        let old = ring.pointee
        let places = UnsafeMutablePointer<Job>.allocate(capacity: 2 * old.capacity)
        // From the first to the end of the ring, and from its beginning to the last.
        let first = old.capacity - old.head
        places.moveInitialize(from: old.places + old.head, count: first)
        (places + first).moveInitialize(from: old.places, count: old.head)
        old.places.deallocate()
        ring.pointee = Ring(places: places, capacity: 2 * old.capacity, head: 0, count: old.count)
    }
}
