import CZlib

/// A body's CRC-32, as zlib computes it, piece by piece: enough to notice bytes that are missing, double or out of place, and fast
/// enough (about 1 ns for 2 bytes) to check every answer.
public struct BodyDigest: Hashable, Sendable {
    public private(set) var value: UInt32 = 0

    public init() {}

    // hot path: no allocation, no lock, no call that can block
    public mutating func add(_ piece: UnsafeRawBufferPointer) {
        value = UInt32(
            truncatingIfNeeded: crc32_z(
                UInt(value), piece.baseAddress?.assumingMemoryBound(to: UInt8.self), z_size_t(piece.count)))
    }

    /// That of a whole body.
    public static func of(_ bytes: [UInt8]) -> UInt32 {
        var digest = BodyDigest()
        bytes.withUnsafeBytes { digest.add($0) }
        return digest.value
    }
}
