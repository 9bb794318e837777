import FoundationEssentials
import Glibc
import Results

/// Cuts what comes from a suite into messages.
package struct SuiteMessageReader {
    package init() {}

    private var buffer: [UInt8] = []

    /// Something that is no message came over the protocol's pipe.
    package struct Garbage: Error {
        package var sentence: String
    }

    /// Takes in bytes and returns the messages that are whole now.
    package mutating func take(_ bytes: some Sequence<UInt8>) throws(Garbage) -> [SuiteMessage] {
        buffer.append(contentsOf: bytes)
        var messages: [SuiteMessage] = []
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
            let line = buffer[..<end]
            guard let message = try? JSONDecoder().decode(SuiteMessage.self, from: Data(line)) else {
                throw Garbage(sentence: "the suite wrote “\(Self.shown(line))” into the protocol")
            }
            messages.append(message)
            buffer.removeSubrange(...end)
        }
        guard buffer.count <= SuiteMessage.longestLine else {
            throw Garbage(sentence: "the suite wrote an endless line into the protocol")
        }
        return messages
    }

    private static func shown(_ line: ArraySlice<UInt8>) -> String {
        String(String(decoding: line.prefix(80), as: UTF8.self).map { $0.isNewline || $0 == "\0" ? " " : $0 })
    }
}
