import Foundation
import Results
import Statistics
import TestSupport
import Testing

@Suite("Readings")
struct ReadingTests {
    static let all: [Reading] = [
        .measured(-0.25), .estimated(17.5, share: 0.83), .notCounted(reason: "its counter had no turn"),
        .unsupported(reason: "there is no battery, “none”"),
        .denied(reason: "energy_uj may be read by the superuser only", remedy: "chmod, or a rule"),
    ]

    @Test("reads back from JSON as itself", arguments: all)
    func json(reading: Reading) throws {
        let data = try JSONEncoder().encode([reading])
        #expect(try JSONDecoder().decode([Reading].self, from: data) == [reading])
    }

    @Test("a measured number is a number in JSON, all else an object that says what it is")
    func jsonShape() throws {
        func text(_ reading: Reading) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(reading), as: UTF8.self)
        }
        #expect(try text(.measured(2.5)) == "2.5")
        #expect(try text(.estimated(2.5, share: 0.5)) == #"{"estimated":2.5,"share":0.5}"#)
        #expect(try text(.unsupported(reason: "no PMU")) == #"{"unsupported":"no PMU"}"#)
        #expect(try text(.denied(reason: "a", remedy: "b")) == #"{"denied":"a","remedy":"b"}"#)
        #expect(try text(.notCounted(reason: "c")) == #"{"not-counted":"c"}"#)
    }

    @Test("reads back from samples.csv as itself, and what has no number has an empty value")
    func csv() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/samples.csv"
        let benchmark = try #require(BenchmarkID("S/b[strategy=x]"))
        let samples = Self.all.enumerated().map {
            Sample(number: $0.offset, metric: "m", unit: "1", reading: $0.element, iterations: 3)
        }
        try SampleCSV.Writer(creating: path).append(benchmark: benchmark, trial: 4, samples)
        #expect(try SampleCSV.read(path).map(\.sample) == samples)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines[1].hasSuffix(",m,1,-0.25,3,,measured,,,"))
        #expect(lines[2].hasSuffix(",m,1,17.5,3,,estimated,0.83,,"))
        #expect(lines[4].contains(",m,1,,3,,unsupported,,"))
        #expect(lines[5].contains(",m,1,,3,,denied,,energy_uj may be read by the superuser only,"))
    }

    @Test("samples of before readings had a status are measured, and a status without its number is no sample")
    func oldCSV() throws {
        let folder = TemporaryFolder()
        folder.write(
            "benchmark,trial,sample,metric,unit,value,iterations,at_ns\nS/b,0,0,time,ns,12,3,99\n", to: "old.csv")
        #expect(try SampleCSV.read(folder.path + "/old.csv").map(\.sample.reading) == [.measured(12)])
        let header = SampleCSV.columns.joined(separator: ",")
        for row in [
            "S/b,0,0,time,ns,,3,99,measured,,,", "S/b,0,0,time,ns,1,3,99,guessed,,,",
            "S/b,0,0,time,ns,nan,3,99,measured,,,",
            "S/b,0,0,time,ns,1,3,99,estimated,,,", "S/b,0,0,time,ns,,3,99",
        ] {
            folder.write("\(header)\n\(row)\n", to: "bad.csv")
            #expect(throws: ResultsError.self, "\(row)") { try SampleCSV.read(folder.path + "/bad.csv") }
        }
    }

    @Test("without one of two numbers there is no result, and what is estimated in part is estimated")
    func combining() {
        let sum = { (left: Double, right: Double) in left + right }
        #expect(Reading.measured(1).combined(with: .measured(2), sum) == .measured(3))
        #expect(Reading.measured(1).combined(with: .estimated(2, share: 0.5), sum) == .estimated(3, share: 0.5))
        #expect(
            Reading.estimated(1, share: 0.9).combined(with: .estimated(2, share: 0.5), sum) == .estimated(3, share: 0.5)
        )
        #expect(Reading.measured(1).combined(with: .unsupported(reason: "r"), sum) == .unsupported(reason: "r"))
        #expect(
            Reading.notCounted(reason: "first").combined(with: .unsupported(reason: "r"), sum)
                == .notCounted(reason: "first"))
    }

    @Test("only numbers of one kind may be compared")
    func comparing() {
        #expect(Reading.measured(1).isComparable(with: .measured(2)))
        #expect(!Reading.measured(1).isComparable(with: .estimated(2, share: 0.5)))
        #expect(!Reading.unsupported(reason: "").isComparable(with: .unsupported(reason: "")))
    }

    @Test("what is not finite is no number")
    func finite() {
        #expect(Reading(finite: .nan, orNotCounted: "0 of 0") == .notCounted(reason: "0 of 0"))
        #expect(Reading(finite: 2, orNotCounted: "") == .measured(2))
    }

    @Test("metrics have names of their own, and each has a probe")
    func metrics() throws {
        let names = Metric.standard.map(\.name)
        #expect(Set(names).count == names.count)
        let old = #"{"name":"cpu_time","unit":"ns","direction":"lowerIsBetter","scope":"process"}"#
        #expect(try JSONDecoder().decode(Metric.self, from: Data(old.utf8)) == .processorTime)
        let data = try JSONEncoder().encode(Metric.standard)
        #expect(try JSONDecoder().decode([Metric].self, from: data) == Metric.standard)
    }
}
