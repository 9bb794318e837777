import Results
import Threading

/// The reasons for which tasks failed, in the header of their log; each different one is kept once. Thread-safe.
final class FailureReasons: Sendable {
    private typealias Header = RecordLogLayout.Header

    private let memory: LogMemory
    private let places = Monitor<[String: UInt32]>([:])

    init(_ memory: LogMemory) { self.memory = memory }

    /// Where a reason stands, plus 1; 0 when there was no room for it.
    func place(of reason: String) -> UInt32 {
        places.withLock { known in
            if let place = known[reason] { return place }
            let place = append(reason)
            if place > 0 { known[reason] = place }
            return place
        }
    }

    func reason(at place: UInt32) -> String {
        guard place > 0 else { return "the reason was not kept: too many different ones" }
        return places.withLock { _ in
            let start = memory.header + Header.reasons + Int(place) - 1
            let length = Int(start.loadUnaligned(as: UInt16.self))
            return String(decoding: UnsafeRawBufferPointer(start: start + 2, count: length), as: UTF8.self)
        }
    }

    private func append(_ reason: String) -> UInt32 {
        let text = Array(reason.utf8.prefix(Int(UInt16.max)))
        let used = Int(memory.header.load(fromByteOffset: Header.reasonsLength, as: UInt32.self))
        guard used + 2 + text.count <= Header.reasonsCapacity else { return 0 }
        let place = memory.header + Header.reasons + used
        place.storeBytes(of: UInt16(text.count), as: UInt16.self)
        (place + 2).copyMemory(from: text, byteCount: text.count)
        memory.header.storeBytes(
            of: UInt32(used + 2 + text.count), toByteOffset: Header.reasonsLength, as: UInt32.self)
        return UInt32(used + 1)
    }
}
