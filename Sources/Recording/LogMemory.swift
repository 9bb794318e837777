import Clocks
import Results
import Synchronization

/// The memory of a mapped log as hot paths reach it: two addresses, which cost nothing to copy.
///
/// Valid as long as the `MappedLog` that it belongs to. Unchecked Sendable: see there.
struct LogMemory: @unchecked Sendable {
    let header: UnsafeMutableRawPointer
    let entries: UnsafeMutableRawPointer

    /// Where an entry lies, or nil when it is not mapped.
    // hot path: no allocation, no lock, no call that can block
    @inline(__always)
    func entry(_ number: Int, size: Int) -> UnsafeMutableRawPointer? {
        // As unsigned, a negative number is larger than any.
        guard UInt(bitPattern: number) < UInt(bitPattern: ready.pointee.load(ordering: .acquiring)) else { return nil }
        return entries + number &* size
    }

    /// Gives out the next entry's number.
    // hot path: no allocation, no lock, no call that can block
    @inline(__always)
    func issue() -> Int { Int(counter(LogLayout.Header.issued).pointee.add(1, ordering: .relaxed).oldValue) }

    /// Numbers given out so far.
    var issued: Int { Int(counter(LogLayout.Header.issued).pointee.load(ordering: .acquiring)) }

    /// How many entries are mapped.
    @inline(__always)
    var ready: UnsafeMutablePointer<Atomic<Int>> {
        (header + LogLayout.Header.ready).assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// A 64-bit number of the header that threads share.
    @inline(__always)
    func counter(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (header + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    func count(_ offset: Int) { counter(offset).pointee.add(1, ordering: .relaxed) }

    func value(_ offset: Int) -> Int { Int(clamping: counter(offset).pointee.load(ordering: .relaxed)) }

    /// A word of an entry that threads share.
    @inline(__always)
    static func word(_ entry: UnsafeMutableRawPointer, _ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (entry + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    func writeHeader(_ kind: LogLayout.Kind, benchmark: String, trial: Int, clock: String, origin: Int64) {
        typealias Header = LogLayout.Header
        header.copyMemory(from: kind.magic, byteCount: kind.magic.count)
        header.storeBytes(of: LogLayout.schema, toByteOffset: Header.schema, as: UInt32.self)
        header.storeBytes(of: UInt32(kind.entrySize), toByteOffset: Header.entrySize, as: UInt32.self)
        header.storeBytes(of: origin, toByteOffset: Header.origin, as: Int64.self)
        header.storeBytes(of: UInt32(trial), toByteOffset: Header.trial, as: UInt32.self)
        let name = Array(benchmark.utf8.prefix(Header.benchmarkCapacity))
        (header + Header.benchmark).copyMemory(from: name, byteCount: name.count)
        header.storeBytes(of: UInt32(name.count), toByteOffset: Header.benchmarkLength, as: UInt32.self)
        let units = Array("\(LogLayout.unit) \(clock)".utf8.prefix(Header.unitCapacity))
        (header + Header.unit).copyMemory(from: units, byteCount: units.count)
    }

    /// Stores when the log was made: now.
    func noteStart(_ clock: MonotonicClock) {
        counter(LogLayout.Header.started).pointee.store(
            UInt64(bitPattern: clock.now().sinceOrigin), ordering: .releasing)
    }
}
