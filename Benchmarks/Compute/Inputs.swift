import Statistics
import Synchronization
import TaskMeter

/// Integers in an order without order: the same ones in every trial, because their seed is fixed.
///
/// Many arrays, because a processor that sees one again and again learns how its comparisons come out, and sorts it
/// in little more than half the time (20 µs and 35 µs were measured): faster than a program will ever see it sort.
func randomArrays() -> [[Int]] {
    var random = SplitMix64(seed: 0x5eed)
    return (0..<64).map { _ in (0..<1_000).map { _ in Int(truncatingIfNeeded: random.next()) } }
}

/// Values that are given out in turns, the first again after the last.
final class Turns<Value: Sendable>: Sendable {
    private let values: [Value]
    private let given = Atomic<Int>(0)

    init(_ values: [Value]) { self.values = values }

    func next() -> Value { values[given.add(1, ordering: .relaxed).oldValue % values.count] }
}

/// An array with storage of its own: one that shares it is copied when it is first changed, and so by what is measured.
func uniqueCopy(of numbers: [Int]) -> [Int] {
    var copy = numbers
    copy.withUnsafeMutableBufferPointer { _ in }
    return copy
}

/// Work whose task is the SHA-256 of the same message again and again.
func hashing(bytes: Int) throws(WrongDigest) -> Work {
    // Fast and wrong would be worth nothing; FIPS 180-4's first example tells.
    guard SHA256.hexadecimal(SHA256.digest(Array("abc".utf8))) == SHA256.digestOfABC else { throw WrongDigest() }
    let message = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    return Work { _ in blackHole(SHA256.digest(message)) }
}

/// SHA-256 does not compute what its standard says.
struct WrongDigest: Error, CustomStringConvertible {
    var description: String { "SHA-256 of “abc” is not what FIPS 180-4 says: the build is broken" }
}
