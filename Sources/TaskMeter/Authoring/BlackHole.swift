import CLinux

/// Takes a value and does nothing with it, in a way that the optimiser cannot see through.
///
/// A result that nobody uses need not be computed, and the optimiser then removes the work that was to be measured. Hand
/// the result over here, and it is computed, with all memory that can be reached from it.
///
/// It costs a store of the value itself (of an array that is a reference), and no call. What it does not prevent: a result
/// that does not change may be computed once, or while compiling. Let its inputs pass through `identity(_:)`.
/// Thread-safe.
@inlinable
@inline(__always)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {
    withUnsafePointer(to: value) { clinux_touch(UnsafeMutableRawPointer(mutating: $0)) }
}

/// Returns the value that it was given, in a way that the optimiser cannot see through.
///
/// What is computed from an input that does not change can be computed before a loop in place of inside it, or while
/// compiling. An input that passed through here might be any value, anew each time:
///
/// ```swift
/// Iteration { blackHole(table[identity(7)]) }
/// ```
/// It costs a store and a load of the value, and no call; of a reference a retain and a release as well. Thread-safe.
@inlinable
@inline(__always)
public func identity<Value: ~Copyable>(_ value: consuming Value) -> Value {
    withUnsafeMutablePointer(to: &value) { clinux_touch($0) }
    return value
}
