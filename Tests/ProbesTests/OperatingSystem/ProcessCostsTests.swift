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

    @Test("waits and moves are summed over threads, and not counted where a thread may have ended")
    func schedules() {
        let folder = TemporaryFolder()
        let files = KernelFiles(root: folder.path)
        func write(_ thread: Int, waited: Int, moves: Int) {
            folder.write("9 \(waited) 9\n", to: "proc/self/task/\(thread)/schedstat")
            folder.write("x (1, #threads: 1)\n---\nse.nr_migrations : \(moves)\n", to: "proc/self/task/\(thread)/sched")
        }
        func schedules(started: Int) -> ThreadSchedules {
            folder.write("cpu 1 2 3\nprocesses \(started)\n", to: "proc/stat")
            return ThreadSchedules(files)
        }
        write(11, waited: 5_000, moves: 1)
        let before = schedules(started: 700)
        write(11, waited: 6_000, moves: 4)
        write(12, waited: 300, moves: 2)
        let after = schedules(started: 701)
        #expect(after.readings(since: before).map(\.1) == [.measured(1_300), .measured(5)])
        // Two were started and one of them is there.
        #expect(schedules(started: 702).readings(since: before).allSatisfy { $0.1.status == .notCounted })
        // One that was there is gone.
        let fewer = ThreadSchedules(KernelFiles(root: TemporaryFolder().path))
        #expect(fewer.readings(since: before).allSatisfy { $0.1.status == .unsupported })
        #expect(before.readings(since: after).allSatisfy { $0.1.status == .notCounted })
    }
}
