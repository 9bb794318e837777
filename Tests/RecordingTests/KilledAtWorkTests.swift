import ChildProcesses
import Clocks
import Glibc
import Recording
import Results
import Statistics
import TestSupport
import Testing

/// What a process recorded is read back right, at whatever moment it is killed.
///
/// The process has eight threads that record as fast as they can. Beside the log it keeps a witness, a mapped file with
/// two moments for each task: one read before its begin, and one after its end was stored. The witness's second moment is written
/// only when `end` has returned: whatever has it must be in the log.
@Suite struct KilledAtWorkTests {
    private let folder = TemporaryFolder()

    @Test("of a process killed at a hundred random moments, no end that was stored is lost and none is invented")
    func killedAtRandomMoments() async throws {
        let folder = folder
        var generator = SplitMix64(seed: 3)
        let delays = (0..<100).map { _ in UInt32(generator.next(below: 12_000)) }
        let found = try await onOwnThread {
            var found = Findings()
            for (number, delay) in delays.enumerated() {
                let (log, witness) = ("\(folder.path)/\(number).log", "\(folder.path)/\(number).witness")
                let helper = try HelperProcess("record-with-witness", log, witness)
                // Half of them from the start on, half while all threads record.
                if number % 2 == 0 { try #require(helper.line() == "ready") }
                usleep(delay)
                #expect(helper.killAndWait() == .signalled(SIGKILL))
                try found.compare(log: log, witness: witness)
                for path in [log, log + RecordLogLayout.phasesSuffix, witness] { unlink(path) }
            }
            return found
        }
        #expect(found.wrong == 0, "records that the witness contradicts")
        #expect(found.lost == 0, "ends that were stored and are not in the log")
        #expect(found.mostUnwitnessed <= 8, "of each thread, one end may lack the witness's word")
        #expect(found.mostTorn <= 8, "of each thread, one task may have its ID and nothing else")
        #expect(found.ended > 100_000, "the test has tested something")
    }

    private struct Findings {
        var ended = 0
        var wrong = 0
        var lost = 0
        var mostUnwitnessed = 0
        var mostTorn = 0

        mutating func compare(log path: String, witness: String) throws {
            let moments = try witnessed(witness)
            guard let log = try? RecordLogReader(path) else {
                // Killed before its log had a header: then nothing was recorded either.
                lost += moments.count { $0.after != 0 }
                return
            }
            var unwitnessed = 0
            var told = Set<Int>()
            let states = try log.forEachRecord { record in
                let number = record.id.number
                guard let begin = record.begin, let end = record.end else { return }
                ended += 1
                told.insert(number)
                let (before, after) = moments.indices.contains(number) ? moments[number] : (0, 0)
                let expected: TaskStatus = number % 5 == 0 ? .failed(reason: "fifth") : .ok
                if before == 0 || before > begin.sinceOrigin || begin > end || record.submitted > begin
                    || record.status != expected || record.bytes != Int64(number) * 7 || record.worker! >= 8
                {
                    wrong += 1
                }
                if after == 0 { unwitnessed += 1 } else if after < end.sinceOrigin { wrong += 1 }
            }
            lost += moments.indices.count { moments[$0].after != 0 && !told.contains($0) }
            mostUnwitnessed = max(mostUnwitnessed, unwitnessed)
            mostTorn = max(mostTorn, states.missing)
        }

        private func witnessed(_ path: String) throws -> [(before: Int64, after: Int64)] {
            guard let size = fileSize(path), size > 0 else { return [] }
            let file = open(path, O_RDONLY)
            defer { close(file) }
            let memory = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file, 0)!
            defer { munmap(memory, Int(size)) }
            let moments = (0..<Int(size) / 16).map { number in
                (
                    before: memory.load(fromByteOffset: number * 16, as: Int64.self),
                    after: memory.load(fromByteOffset: number * 16 + 8, as: Int64.self)
                )
            }
            let used = (moments.lastIndex { $0.before != 0 } ?? -1) + 1
            return Array(moments[..<used])
        }
    }
}
