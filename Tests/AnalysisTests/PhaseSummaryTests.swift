import Analysis
import Glibc
import Results
import Statistics
import TestSupport
import Testing

private let one = "S/n[strategy=a]"
private let id = BenchmarkID(one)!

private func load(
    _ trials: [[PhasedRun.Task]], interleaved: Bool = false, status: Trial.Status = .completed
) throws -> RunData {
    var run = try PhasedRun([one], trials: trials.count)
    for (block, tasks) in trials.enumerated() {
        try run.add(one, block: block, status: status, interleaved: interleaved, tasks)
    }
    return try RunData.load(run.runFolder)
}

@Suite("What the phases of tasks say") struct PhaseSummaryTests {
    @Test("segments run from what was before to a phase, and the rest to the end: by arithmetic")
    func segments() throws {
        // Up to p 10, 20, 30; from p to q 5, 6, 100; to the end 1, 2, 3. In the second trial 40, 8, 2 for its one task.
        let data = try load([
            [
                .init(begin: 0, end: 16, [("p", 10), ("q", 15)]),
                .init(begin: 100, end: 128, [("p", 120), ("q", 126)]),
                .init(begin: 7, end: 140, [("p", 37), ("q", 137)]),
            ],
            [.init(begin: 0, end: 50, [("p", 40), ("q", 48)])],
        ])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.segments.map(\.name) == ["p", "q", "end"])
        #expect(phases.segments.map(\.isRest) == [false, false, true])
        #expect(phases.tasks == 4 && phases.tasksOutOfOrder == 0)
        let p = try #require(phases.segment("p"))
        // The median of the trials' medians 20 and 40; of all four the second by nearest rank.
        #expect(p.times.medianOverTrials.median == 30 && p.times.p50 == .value(Nanoseconds(20)))
        #expect(p.times.count == 4 && p.times.max == Nanoseconds(40) && p.times.mean == Nanoseconds(25))
        let spent = Double(16 + 28 + 133 + 50)
        #expect(p.share == 100 / spent && p.meanOfAllTasks == 25)
        #expect(phases.segment("q")?.share == 119 / spent)
        #expect(phases.rest?.share == 8 / spent)
        #expect(abs(phases.meanSpent - spent / 4) < 1e-9)
        #expect(abs(phases.segments.reduce(0) { $0 + $1.share } - 1) < 1e-12)
    }

    @Test("the order in which threads wrote their marks changes nothing")
    func interleaved() throws {
        let tasks = (0..<50).map { index in
            let begin = Int64(index * 3)
            return PhasedRun.Task(
                begin: begin, end: begin + 100,
                [("a", begin + 10), ("b", begin + Int64(20 + index)), ("c", begin + 90)])
        }
        let apart = try load([tasks]).summary(of: id).phases
        #expect(apart != nil)
        #expect(try load([tasks], interleaved: true).summary(of: id).phases == apart)
    }

    @Test("a phase that comes again adds up, each time from what was before it")
    func repeated() throws {
        let data = try load([
            [.init(begin: 0, end: 100, [("sent", 10), ("body", 30), ("body", 35), ("last", 40), ("body", 60)])]
        ])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.segments.map(\.name) == ["sent", "body", "last", "end"])
        #expect(phases.segments.map(\.times.max.count) == [10, 45, 5, 40])
        #expect(phases.segment("body")?.times.count == 1)
    }

    @Test("phases stand in the order in which tasks come to them, also those to which few tasks come")
    func order() throws {
        // Most tasks use a connection again: by their mean place in the task, “ready” would come before “connected”.
        let again = PhasedRun.Task(begin: 0, end: 9, [("ready", 1), ("first", 2), ("last", 3)])
        let new = PhasedRun.Task(
            begin: 0, end: 9, [("resolved", 1), ("connected", 2), ("ready", 3), ("first", 4), ("last", 5)])
        let data = try load([Array(repeating: again, count: 30) + [new]])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.segments.map(\.name) == ["resolved", "connected", "ready", "first", "last", "end"])
        let connected = try #require(phases.segment("connected"))
        // Of the one task that came to it, and as a share of what all spent.
        #expect(connected.times.count == 1 && connected.share == 1.0 / (31 * 9))
        #expect(connected.meanOfAllTasks == 1.0 / 31)
    }

    @Test("the moment at which a strategy had taken a task is no phase of the task")
    func accepted() throws {
        let data = try load([[.init(begin: 10, end: 30, [("accepted", 5), ("p", 20), ("accepted", 99)])]])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.segments.map(\.name) == ["p", "end"] && phases.tasksOutOfOrder == 0)
        #expect(try load([[.init(begin: 10, end: 30, [("accepted", 5)])]]).summary(of: id).phases == nil)
    }

    @Test("marks are joined to their tasks by ID, also where tasks before them never ended")
    func unfinished() throws {
        let data = try load([
            [
                .init(begin: 0, end: nil, [("p", 7)]), .init(begin: 100, end: 150, [("p", 110)]),
                .init(begin: 0, end: nil), .init(begin: 200, end: 290, [("p", 230)]),
            ]
        ])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.tasks == 2 && phases.segment("p")?.times.mean == Nanoseconds(20))
        let traces = try #require(data.traces[id])
        #expect((traces.typical + traces.slowest).map(\.number) == [1, 3])
    }

    @Test("of tasks without phases among others all is rest")
    func withoutPhases() throws {
        let data = try load([[.init(begin: 0, end: 10, [("p", 4)]), .init(begin: 0, end: 30)]])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.segment("p")?.times.count == 1 && phases.rest?.times.count == 2)
        #expect(phases.segment("p")?.share == 0.1 && phases.rest?.share == 0.9 && phases.meanSpent == 20)
    }

    @Test(
        "a mark out of order is counted and told, and its task has no part",
        arguments: [
            [("p", Int64(50)), ("q", Int64(40))],  // earlier than the one before
            [("p", 5), ("q", 40)],  // before the begin
            [("p", 50), ("q", 101)],  // after the end
        ])
    func outOfOrder(_ marks: [(String, Int64)]) throws {
        let good = PhasedRun.Task(begin: 10, end: 100, [("p", 20), ("q", 40)])
        let data = try load([[good, .init(begin: 10, end: 100, marks.map { (phase: $0.0, at: $0.1) }), good]])
        let summary = data.summary(of: id)
        let phases = try #require(summary.phases)
        #expect(phases.tasks == 2 && phases.tasksOutOfOrder == 1 && phases.marksOutOfOrder == 1)
        #expect(phases.segments.map(\.times.max.count) == [10, 20, 60])
        let doubt = try #require(summary.doubts?.first { $0.kind == .phasesOutOfOrder })
        #expect(doubt.sentence.hasPrefix("Of 3 tasks with phases 1 has some out of order: 1 mark earlier"))
        #expect(doubt.sentence.hasSuffix("before it ends."))
    }

    @Test("marks at one moment, at the begin and at the end are in order")
    func equal() throws {
        let phases = try load([[.init(begin: 5, end: 9, [("p", 5), ("q", 5), ("r", 9)])]]).summary(of: id).phases
        #expect(phases?.segments.map(\.times.max.count) == [0, 0, 4, 0] && phases?.tasksOutOfOrder == 0)
    }

    @Test("a benchmark of which no task is in order has no segments, and its doubt")
    func nothingInOrder() throws {
        let summary = try load([[.init(begin: 0, end: 10, [("p", 20)])]]).summary(of: id)
        #expect(summary.phases?.segments == [] && summary.phases?.tasks == 0)
        #expect(summary.doubts?.contains { $0.kind == .phasesOutOfOrder } == true)
    }

    @Test("only completed trials have a part")
    func failed() throws {
        #expect(try load([[.init(begin: 0, end: 10, [("p", 5)])]], status: .failed).phases.isEmpty)
    }

    @Test("percentiles need their number of tasks")
    func percentiles() throws {
        func tasks(_ count: Int) -> [PhasedRun.Task] {
            (1...count).map { .init(begin: 0, end: 5000, [("p", Int64($0))]) }
        }
        let few = try #require(try load([tasks(999)]).summary(of: id).phases?.segment("p"))
        #expect(few.times.p90 == .value(Nanoseconds(900)) && few.times.p99.value == nil)
        let enough = try #require(try load([tasks(1000)]).summary(of: id).phases?.segment("p"))
        #expect(enough.times.p99 == .value(Nanoseconds(990)))
    }

    @Test("names may hold anything")
    func hostile() throws {
        let names = ["a,b", "“\"'", "</td>\n<b>", "", String(repeating: "long ", count: 40), "end", "é\r\n"]
        let marks = names.enumerated().map { (phase: $1, at: Int64($0)) }
        let data = try load([[.init(begin: 0, end: 10, marks)]])
        let phases = try #require(data.summary(of: id).phases)
        #expect(phases.segments.map(\.name) == names + ["end"])
        #expect(phases.segments.filter(\.isRest).count == 1 && phases.segment("end")?.times.max == Nanoseconds(1))
    }

    @Test("a run from before there were phases has none; one whose trials are mixed up is not read")
    func files() throws {
        var run = try PhasedRun([one], trials: 2)
        let folder = try #require(run.folder)
        try run.add(one, block: 0, [.init(begin: 0, end: 10, [("p", 5)])])
        try run.add(one, block: 1, [.init(begin: 0, end: 10, [("p", 5)])])
        let bytes = folder.bytes(of: "phases.csv")
        let row = Array("\"\(one)\",0,0,p,6,\n".utf8)
        folder.write(bytes + row, to: "phases.csv")
        #expect(throws: ResultsError.self) { try RunData.load(run.runFolder) }
        unlink(folder.path + "/phases.csv")
        #expect(try RunData.load(run.runFolder).phases.isEmpty)
    }
}

@Suite("Traces of tasks") struct TaskTracesTests {
    @Test("are of tasks around the median response and of the slowest, none twice")
    func chosen() throws {
        // Responses 1...101, not in this order.
        let data = try load([
            (0..<101).map { index in
                let response = Int64((index * 37) % 101 + 1)
                return .init(due: 0, submitted: 2, begin: 3, end: response + 3, [("p", 3)])
            }
        ])
        let traces = try #require(data.traces[id])
        #expect(traces.slowest.map(\.response) == (82...101).map { Int64($0) + 3 })
        // The median is 51: 20 of them around it.
        #expect(traces.typical.map(\.response) == (42...61).map { Int64($0) + 3 })
        #expect(traces.typical.allSatisfy { $0.marks.map(\.at) == [3] && $0.due == 0 && $0.submitted == 2 })
        for task in traces.typical { #expect(Int64((task.number * 37) % 101 + 1) == task.response - 3) }
    }

    @Test("of few tasks half are the slowest")
    func few() throws {
        let data = try load([(1...5).map { .init(begin: 0, end: Int64($0), [("p", 0)]) }])
        let traces = try #require(data.traces[id])
        #expect(traces.typical.map(\.response) == [1, 2, 3] && traces.slowest.map(\.response) == [4, 5])
    }
}

@Suite("The order of phases") struct PhaseOrderTests {
    @Test("is against as few observations as can be")
    func contradicted() {
        // 0 before 1 before 2, but once 2 before 0.
        #expect(PhaseOrder.order([[0, 9, 0], [0, 0, 9], [1, 0, 0]]) == [0, 1, 2])
        #expect(PhaseOrder.order([[0, 0], [0, 0]]) == [0, 1])
        #expect(PhaseOrder.order([[0, 0], [3, 0]]) == [1, 0])
        #expect(PhaseOrder.order([]) == [])
    }

    @Test("of several lists holds what each of them says")
    func merged() {
        #expect(
            PhaseOrder.merged([["ready", "sent", "first"], ["connected", "ready", "first", "last"]])
                == ["connected", "ready", "sent", "first", "last"])
    }
}

@Suite("Failures by class") struct FailureClassTests {
    @Test("a reason is split at its first colon and space")
    func parts() {
        #expect(FailureClass.parts(of: "time-out: no byte: none") == ("time-out", "no byte: none"))
        #expect(FailureClass.parts(of: "at 12:30").name == nil)
        #expect(FailureClass.parts(of: ": x").name == nil && FailureClass.parts(of: "x: ").name == nil)
        #expect(FailureClass.parts(of: "").detail == "")
    }

    @Test("counts hold all failures, and details the five most frequent")
    func grouped() {
        let classes = FailureClass.grouped(
            Dictionary(
                uniqueKeysWithValues: (1...7).map { ("HTTP status: \($0)", $0) } + [("time-out: x", 100), ("odd", 3)]))
        #expect(classes.map(\.name) == ["time-out", "HTTP status", nil])
        #expect(classes.map(\.count) == [100, 28, 3])
        #expect(classes[1].details.map(\.text) == ["7", "6", "5", "4", "3"] && classes[1].differentDetails == 7)
    }

    @Test("warnings tell a class once")
    func warnings() throws {
        let reasons = ["time-out: a", "time-out: b", "time-out: b", "odd", "name: no address"]
        let data = try load([reasons.map { .init(begin: 0, end: 1, status: .failed(reason: $0)) }])
        #expect(
            data.summary(of: id).warnings == [
                "3 tasks failed: time-out, 2 different; most often: b.", "1 task failed: odd.",
                "1 task failed: name: no address.",
            ])
    }
}
