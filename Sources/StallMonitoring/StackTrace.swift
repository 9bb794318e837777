import FoundationEssentials
import Runtime

/// Where a thread was: addresses of code, innermost first.
public struct StackTrace: Hashable, Sendable {
    /// The address of the next instruction, and behind it the address to which each function returns.
    public var addresses: [UInt64]
    /// Whether there were more frames than were followed.
    public var isTruncated: Bool

    /// The functions, files and lines that the addresses belong to, innermost first; a function that was inlined has
    /// a frame of its own. Looks them up in this process's files, which takes milliseconds: call it where time does
    /// not matter, and in the process that was watched.
    public func frames() -> [StackFrame] {
        guard let images = Optional(ImageMap.capture()), let backtrace = backtrace(),
            let symbolicated = backtrace.symbolicated(with: images)
        else { return addresses.map { StackFrame(address: $0) } }
        return symbolicated.frames.compactMap { frame in
            guard let address = UInt64(frame.captured.originalProgramCounter), address != 0 else { return nil }
            let symbol = frame.symbol
            return StackFrame(
                address: address, function: symbol?.name, image: symbol?.imageName,
                location: symbol?.sourceLocation.map { "\($0.path):\($0.line)" }, isInlined: frame.inlined)
        }
    }

    /// The runtime's own kind of stack. It cannot be made of addresses but can be decoded: the runtime's documentation
    /// (CompactBacktraceFormat.md, version 0) says from what.
    private func backtrace() -> Backtrace? {
        guard let own = try? Backtrace.capture(limit: 1) else { return nil }
        // The first byte: version 0, words of 64 bits.
        var bytes: [UInt8] = [0b10]
        for (index, address) in addresses.enumerated() {
            // Program counter or return address, absolute, of eight bytes.
            bytes.append(index == 0 ? 0b0001_1111 : 0b0010_1111)
            withUnsafeBytes(of: address.bigEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(isTruncated ? 1 : 0)
        struct Encoded: Encodable {
            var architecture: String
            var backtrace: String
        }
        let encoded = Encoded(architecture: own.architecture, backtrace: Data(bytes).base64EncodedString())
        guard let json = try? JSONEncoder().encode(encoded) else { return nil }
        return try? JSONDecoder().decode(Backtrace.self, from: json)
    }
}

/// A function that had begun and not ended.
public struct StackFrame: Hashable, Sendable, CustomStringConvertible {
    /// The address in it: of the next instruction in the innermost one, else where the one that it called returns to.
    public var address: UInt64
    /// Its name, as a person reads it; nil where none is known.
    public var function: String?
    /// The file's name of the program or library that it is in.
    public var image: String?
    /// `FILE:LINE`, where the program holds debugging information.
    public var location: String?
    /// Whether it has no frame of its own, for it was inlined into the next.
    public var isInlined = false

    /// `function at FILE:LINE in image`, as far as that is known.
    public var description: String {
        (function ?? "0x" + String(address, radix: 16)) + (location.map { " at \($0)" } ?? "")
            + (image.map { " in \($0)" } ?? "")
    }
}
