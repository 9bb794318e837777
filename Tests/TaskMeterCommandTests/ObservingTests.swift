import Analysis
import ChildProcesses
import FoundationEssentials
import Results
import Statistics
import TestSupport
import Testing

@Suite("Benchmarks that observe, and open loops")
struct ObservingTests {
    @Test("what an observation tells is kept; what it does not tell, or tells wrongly, is never a number")
    func observed() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", Product.misbehaving, "--filter", "/observes", "--trials", "1", "--time-limit", "1",
            "--output", folder.path, "--no-report")
        #expect(output.status == .exited(1), "\(output.errors)")
        let data = try RunData.load(folder.latest)
        func trial(_ kind: String) throws -> Trial {
            try #require(data.trials.first { $0.benchmark["kind"] == kind })
        }
        func reading(_ kind: String) throws -> Reading? {
            data.samples[try trial(kind).number]?.first { $0.metric == "marvels_seen" }?.reading
        }
        #expect(try reading("tells") == .measured(7))
        #expect(try trial("tells").tasks == TaskCounts(submitted: 1, ok: 1), "its tasks have records")
        #expect(try reading("tells-nothing") == .notCounted(reason: "the benchmark did not tell it"))
        #expect(try reading("tells-nan") == .notCounted(reason: "it is no finite number"))
        #expect(try trial("tells-strangers").reason.contains("told “strangers”, which it was not declared to observe"))
        #expect(try trial("throws").reason.contains("the observation failed: the door is shut"))
        #expect(try trial("hangs").reason.contains("did not end within the time limit"))
        #expect(try trial("refuses").reason.contains("could not be prepared: the door is shut"))
        let text = output.text
        #expect(text.contains("Who sees marvels?"))
        #expect(text.contains("Nothing to compare tells with; its marvels seen is 7"), "\(text)")
        #expect(text.contains("No number for tells-nan: it is no finite number."), "\(text)")
    }

    @Test("tasks of an open loop are due by a schedule that the seed fixes, and lag + wait + spent is their response")
    func arrivals() throws {
        func run() throws -> [TaskRecord] {
            let folder = TemporaryFolder()
            let output = try Product.run(
                "run", "--suite", Product.misbehaving, "--filter", "/arrives", "--trials", "1", "--seed", "5",
                "--output", folder.path, "--no-report")
            #expect(output.status == .exited(0), "\(output.errors)")
            let reader = try TaskCSV.Reader(folder.latest.tasksFile)
            var records: [TaskRecord] = []
            while let row = try reader.next() { records.append(row.record) }
            let phases = try String(contentsOfFile: folder.latest.phasesFile, encoding: .utf8)
            #expect(phases.split(separator: "\n").count { $0.contains(",accepted,") } == 200)
            return records
        }
        let (first, second) = (try run(), try run())
        let expected = ArrivalSchedule(
            count: 200, perSecond: 2_000, .poisson, seed: ArrivalSchedule.seed(ofRun: 5, block: 0)
        ).offsets
        for records in [first, second] {
            #expect(records.count == 200)
            let dues = records.map { ($0.due - records[0].due).count }
            #expect(dues == expected.map { $0 - expected[0] })
            for record in records {
                let (wait, spent, response) = (
                    try #require(record.wait), try #require(record.spent), try #require(record.response)
                )
                #expect(record.lag + wait + spent == response)
                #expect(record.lag >= .zero, "nothing is submitted before it is due")
            }
        }
    }
}
