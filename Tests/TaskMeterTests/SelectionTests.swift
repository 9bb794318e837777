import Results
import TaskMeter
import Testing

@Suite("The selection of benchmarks")
struct SelectionTests {
    private let suites: [SuiteExecutable.Description] = ["A", "B"].map { suite in
        SuiteExecutable.Description(
            executable: SuiteExecutable(name: suite, path: "/\(suite)"), suite: suite, isOptimised: true,
            runsByDefault: true,
            benchmarks: ["get", "put"].flatMap { name in
                ["pool-8", "serial-queue"].map { strategy in
                    BenchmarkDescription(
                        id: BenchmarkID(
                            suite: suite, name: name, parameters: [.init(axis: "strategy", value: strategy)]),
                        about: "", tasks: 1, warmupTasks: 0, load: "", strategyNote: "", declaredAt: "")
                }
            })
    }

    private func select(
        filters: [String] = [], skips: [String] = [], axes: [String: Set<String>] = [:]
    ) throws(RunError) -> [String] {
        let request = RunRequest(
            suites: [], suitesWereNamed: false, filters: filters, skips: skips, axes: axes, trials: 1, seed: 0,
            timeLimit: .seconds(1), output: "", command: [])
        return try Selection(request, among: suites).members.map(\.description.id.description)
    }

    @Test("is everything when nothing is asked for")
    func all() throws { #expect(try select().count == 8) }

    @Test("takes what one of the filters matches anywhere, and leaves out what a skip matches")
    func filters() throws {
        #expect(try select(filters: ["^A/get"]) == ["A/get[strategy=pool-8]", "A/get[strategy=serial-queue]"])
        #expect(try select(filters: ["^A/get", "B/put.*pool"]).count == 3)
        #expect(try select(filters: ["A/"], skips: ["put", "serial"]) == ["A/get[strategy=pool-8]"])
        #expect(try select(filters: ["strategy=(pool|none)"]).count == 4)
    }

    @Test("takes the values that are asked for on an axis")
    func axes() throws {
        #expect(try select(axes: ["strategy": ["pool-8"]]).count == 4)
        #expect(try select(axes: ["strategy": ["pool-8", "serial-queue"]]).count == 8)
    }

    @Test("of nothing is an error of usage that lists near names")
    func nothing() {
        let error = #expect(throws: RunError.self) { try select(filters: ["A/gett"]) }
        #expect(error?.exitCode == 2)
        #expect(error?.description.contains("A/get[strategy=pool-8]") == true)
    }

    @Test("refuses two suites of one name")
    func twins() {
        let twin = SuiteExecutable.Description(
            executable: SuiteExecutable(name: "C", path: "/C"), suite: "A", isOptimised: true, runsByDefault: true,
            benchmarks: [])
        let request = RunRequest(
            suites: [], suitesWereNamed: false, trials: 1, seed: 0, timeLimit: .seconds(1), output: "", command: [])
        let error = #expect(throws: RunError.self) { try Selection(request, among: suites + [twin]) }
        #expect(error?.description.contains("/A and /C") == true)
    }
}
