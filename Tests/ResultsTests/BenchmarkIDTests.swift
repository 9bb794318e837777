import FoundationEssentials
import Results
import Testing

@Suite struct BenchmarkIDTests {
    @Test(
        "an identity that is printed reads back as the same",
        arguments: [
            BenchmarkID(suite: "Compute", name: "sort"),
            BenchmarkID(suite: "Requests", name: "get", parameters: [.init(axis: "bytes", value: "65536")]),
            BenchmarkID(
                suite: "S", name: "n",
                parameters: [.init(axis: "strategy", value: "pool-8"), .init(axis: "keep alive", value: "on")]),
            BenchmarkID(suite: "Größe", name: "größer “als” {@_}", parameters: [.init(axis: "é", value: "日本")]),
            BenchmarkID(suite: "S", name: "n", parameters: [.init(axis: "a", value: "")]),
        ])
    func roundTrip(_ id: BenchmarkID) throws {
        #expect(BenchmarkID(id.description) == id)
        #expect(try JSONDecoder().decode([BenchmarkID].self, from: JSONEncoder().encode([id])) == [id])
    }

    @Test("an identity is printed as its parts say")
    func printed() {
        let id = BenchmarkID(
            suite: "Blocking", name: "sleep",
            parameters: [.init(axis: "ms", value: "5"), .init(axis: "strategy", value: "pool-8")])
        #expect(id.description == "Blocking/sleep[ms=5,strategy=pool-8]")
        #expect(id.strategy == "pool-8" && id["ms"] == "5" && id["bytes"] == nil)
        #expect(id.workload.description == "Blocking/sleep[ms=5]")
    }

    @Test(
        "what has another form is no identity",
        arguments: ["", "name", "suite/name[a=b", "suite/name[a]", "suite/name]x[", "suite/name[a=b]x"])
    func malformed(_ text: String) { #expect(BenchmarkID(text) == nil) }

    @Test("a value may hold an equals sign that it was given")
    func equals() { #expect(BenchmarkID("s/n[a=b=c]")?["a"] == "b=c") }
}
