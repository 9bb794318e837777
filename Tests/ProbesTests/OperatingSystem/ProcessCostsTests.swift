import Foundation
import Probes
import Results
import TestSupport
import Testing

@Suite("What a process cost", .serialized)
struct ProcessCostsTests {
    private func costs(_ body: () throws -> Void) rethrows -> [String: Reading] {
        var costs = ProcessCosts()
        costs.begin()
        try body()
        costs.end()
        return Dictionary(uniqueKeysWithValues: costs.readings.map { ($0.0.name, $0.1) })
    }

    @Test("every metric of a process that is read inside of it has a reading")
    func completeness() {
        let expected = Metric.ofProcess.filter { $0 != .peakThreads }.map(\.name)
        #expect(Set(costs {}.keys) == Set(expected))
    }

    @Test("bytes and calls of reading and writing are those that were made, others of this process among them")
    func inputOutput() throws {
        let folder = TemporaryFolder()
        let file = open(folder.path + "/bytes", O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        let bytes = [UInt8](repeating: 7, count: 1000)
        let costs = costs {
            for _ in 0..<50 { _ = write(file, bytes, bytes.count) }
        }
        let written = try #require(costs["written_bytes"]?.value)
        let calls = try #require(costs["write_calls"]?.value)
        // Other tests of this process may write meanwhile.
        #expect(written >= 50_000 && calls >= 50)
    }

    @Test("without an end nothing was counted, and nothing is zero")
    func noEnd() {
        var costs = ProcessCosts()
        costs.begin()
        #expect(costs.readings.allSatisfy { $0.1.status == .notCounted })
    }

    @Test("where the kernel shows no files their metrics are unsupported, and say which file")
    func noFiles() throws {
        var costs = ProcessCosts(KernelFiles(root: TemporaryFolder().path))
        costs.begin()
        costs.end()
        let readings = Dictionary(uniqueKeysWithValues: costs.readings.map { ($0.0.name, $0.1) })
        for name in ["read_bytes", "write_calls", "run_queue_wait", "migrations", "peak_resident", "resident_growth"] {
            let reading = try #require(readings[name])
            #expect(reading.status == .unsupported && reading.reason?.contains("/proc/self/") == true)
        }
        #expect(readings["cpu_time"]?.status == .measured)
    }

    @Test(
        "waits and moves are summed over threads; without those that used the processor and ended they are not counted")
    func schedules() {
        let folder = TemporaryFolder()
        let files = KernelFiles(root: folder.path)
        func write(_ thread: Int, ran: Int, waited: Int, moves: Int) {
            folder.write("\(ran) \(waited) 9\n", to: "proc/self/task/\(thread)/schedstat")
            folder.write("x (1, #threads: 1)\n---\nse.nr_migrations : \(moves)\n", to: "proc/self/task/\(thread)/sched")
        }
        write(11, ran: 1_000_000_000, waited: 5_000, moves: 1)
        let before = ThreadSchedules(files)
        write(11, ran: 1_900_000_000, waited: 6_000, moves: 4)
        write(12, ran: 100_000_000, waited: 300, moves: 2)
        let after = ThreadSchedules(files)
        let whole = after.readings(since: before, processorTime: 1_005_000_000)
        #expect(whole.map(\.1) == [.measured(1_300), .measured(5)])
        // Of two seconds one is missing: of a thread that ended.
        let lost = after.readings(since: before, processorTime: 2_000_000_000)
        #expect(lost.allSatisfy { $0.1.status == .notCounted && $0.1.reason?.contains("ended") == true })
    }
}
