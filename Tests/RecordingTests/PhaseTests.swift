import Clocks
import Glibc
import Recording
import Results
import TestSupport
import Testing

@Suite struct PhaseTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/trial.log" }

    private func marks(_ path: String) throws -> [PhaseMark] {
        var marks: [PhaseMark] = []
        try PhaseLogReader(path + RecordLogLayout.phasesSuffix).forEachMark { marks.append($0) }
        return marks
    }

    @Test("phases are read back in the order of their marks, with their names, tasks and moments")
    func roundTrip() throws {
        let recorder = try TaskRecorder(
            path: path, benchmark: "S/n[strategy=pool-8]", trial: 7, expectedTasks: 0, clock: MonotonicClock())
        let names = ["connected", "größer,\"2\"\n", "", String(repeating: "é", count: 200)]
        let phases = names.map { Phase($0) }
        #expect(Phase("connected") == phases[0] && phases[0] != phases[1] && phases[1].name == names[1])
        var expected: [(TaskID, String)] = []
        let before = recorder.clock.now()
        for number in 0..<40 {
            let task = recorder.submit()
            recorder.begin(task)
            recorder.mark(task, phases[number % 4])
            recorder.mark(task, phases[0])
            recorder.end(task)
            // An empty name is stored as a blank; a long one is cut to whole characters.
            let kept = [names[0], names[1], " ", String(repeating: "é", count: 118)][number % 4]
            expected += [(task, kept), (task, names[0])]
        }
        let after = recorder.clock.now()
        let marks = try marks(path)
        #expect(marks.map(\.task) == expected.map(\.0) && marks.map(\.phase) == expected.map(\.1))
        #expect(marks.indices.dropFirst().allSatisfy { marks[$0 - 1].at <= marks[$0].at })
        #expect(marks.allSatisfy { before <= $0.at && $0.at <= after })
        #expect(
            marks.allSatisfy { recorder[$0.task]!.begin! <= $0.at && $0.at <= recorder[$0.task]!.end! })
        let log = try PhaseLogReader(path + RecordLogLayout.phasesSuffix)
        #expect(log.benchmark.description == "S/n[strategy=pool-8]" && log.trial == 7 && log.lost == 0)
        #expect(log.log.unit == "ns clock_gettime")
    }

    @Test("a phase of a task that was never given out is a fault, and no mark")
    func unknown() throws {
        let recorder = try TaskRecorder(
            path: path, benchmark: "S/n", trial: 0, expectedTasks: 0, clock: MonotonicClock())
        recorder.mark(TaskID(3), Phase("connected"))
        recorder.mark(TaskID(-1), Phase("connected"))
        #expect(recorder.faults == RecordingFaults(unknownTask: 2))
        #expect(try marks(path) == [])
    }

    @Test("of more phases than there are names for, the marks of the others are lost, and counted")
    func tooMany() async throws {
        let path = path
        // In a process of its own, for the names of phases are a process's for as long as it lives.
        try await onOwnThread {
            let helper = try HelperProcess("mark-phases", path, "300")
            try #require(helper.line() == "ready")
            #expect(helper.killAndWait() == .signalled(SIGKILL))
        }
        let marks = try marks(path)
        #expect(marks.map(\.phase) == (0..<256).map { "phase \($0)" })
        #expect(try PhaseLogReader(path + RecordLogLayout.phasesSuffix).lost == 44)
    }

    @Test("phases.csv reads back what logs held, whatever phases are called")
    func csv() throws {
        let recorder = try TaskRecorder(
            path: path, benchmark: "S/n[a=1]", trial: 7, expectedTasks: 0, clock: MonotonicClock())
        for name in ["plain", "with, comma", "\"quoted\"", "two\nlines"] {
            recorder.mark(recorder.submit(), Phase(name))
        }
        let file = folder.path + "/phases.csv"
        try PhaseCSV.Writer(creating: file).append(PhaseLogReader(path + RecordLogLayout.phasesSuffix))
        var rows: [PhaseCSV.Row] = []
        try PhaseCSV.forEachRow(file) { rows.append($0) }
        #expect(rows.map(\.mark) == (try marks(path)))
        #expect(rows.allSatisfy { $0.trial == 7 && $0.benchmark.description == "S/n[a=1]" })
    }
}
