import FoundationEssentials
import Results
import TaskMeter
import Testing

@Suite("The protocol between runner and suite")
struct SuiteMessageTests {
    static let messages: [SuiteMessage] = [
        .hello(SuiteMessage.Hello(protocol: 1, suite: "Größe \"x\"\n", optimised: true, runsByDefault: false)),
        .benchmark(
            BenchmarkDescription(
                id: BenchmarkID(suite: "S", name: "n", parameters: [.init(axis: "strategy", value: "pool-8")]),
                about: "Does.", tasks: 3, warmupTasks: 1, load: "burst", strategyNote: "Blocks.",
                declaredAt: "a.swift:1")),
        .phase(.measure),
        .sample(Sample(number: 0, metric: "elapsed", unit: "ns", value: 182_734.5, iterations: 2_000)),
        .finished(SuiteMessage.Finished(tasksMeant: 2_000, allEnded: true)),
        .failed("cannot start nginx:\nno such file"),
    ]

    @Test("brings each kind of message across, whole, on a line of its own", arguments: messages)
    func roundTrip(message: SuiteMessage) throws {
        let line = try JSONEncoder().encode(message)
        #expect(!line.contains(UInt8(ascii: "\n")))
        var reader = SuiteMessageReader()
        #expect(try reader.take(line + [UInt8(ascii: "\n")]) == [message])
    }

    @Test("reads messages however they are cut into pieces")
    func pieces() throws {
        let bytes = try Self.messages.flatMap { try JSONEncoder().encode($0) + [UInt8(ascii: "\n")] }
        for size in [1, 7, 1_000] {
            var reader = SuiteMessageReader()
            var read: [SuiteMessage] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                read += try reader.take(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(read == Self.messages)
        }
    }

    @Test(
        "ends at a line that is no message, and shows it",
        arguments: ["hello\n", "{}\n", "{\"greeting\":1}\n", "\n", "{\"phase\":\"rest\"}\n"])
    func garbage(text: String) {
        var reader = SuiteMessageReader()
        let error = #expect(throws: SuiteMessageReader.Garbage.self) { try reader.take(text.utf8) }
        #expect(error?.sentence.contains("into the protocol") == true)
    }

    @Test("ends at a line without end")
    func endless() {
        var reader = SuiteMessageReader()
        #expect(throws: SuiteMessageReader.Garbage.self) {
            for _ in 0..<100 { _ = try reader.take(Array(repeating: UInt8(ascii: "x"), count: 1_000)) }
        }
    }
}
