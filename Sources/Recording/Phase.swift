import Results
import Threading

/// The name of an instant inside tasks, such as “connected” or “first byte”.
///
/// ```swift
/// let connected = Phase("connected")
/// …
/// task.mark(connected)
/// ```
/// Make it once and keep it: making one looks its name up under a lock, marking does not. Two phases of one name are the
/// same phase. Thread-safe.
public struct Phase: Hashable, Sendable {
    /// Its place among all phases of this process.
    let number: Int

    private static let names = Monitor<(numbers: [String: Int], names: [String])>(([:], []))

    /// The phase of a name. A process may have 256; marks of others are counted as lost. A name longer than 236 bytes of
    /// UTF-8 is cut there.
    public init(_ name: String) {
        number = Self.names.withLock { known in
            if let number = known.numbers[name] { return number }
            known.names.append(name)
            known.numbers[name] = known.names.count - 1
            return known.names.count - 1
        }
    }

    /// Its name.
    public var name: String { Self.names.withLock { $0.names[number] } }
}
