/// Jobs in the order of their arrival, in a ring that grows.
struct JobQueue {
    private var ring: [(@Sendable () -> Void)?] = Array(repeating: nil, count: 64)
    private var head = 0
    private(set) var count = 0

    mutating func append(_ job: @escaping @Sendable () -> Void) {
        if count == ring.count {
            ring = (0..<count).map { ring[(head + $0) % count] } + Array(repeating: nil, count: count)
            head = 0
        }
        ring[(head + count) % ring.count] = job
        count += 1
    }

    mutating func popFirst() -> (@Sendable () -> Void)? {
        guard count > 0 else { return nil }
        defer {
            ring[head] = nil
            head = (head + 1) % ring.count
            count -= 1
        }
        return ring[head]
    }
}
