import ChildProcesses
import Glibc
import Probes
import TestSupport
import Testing

/// Counts held against those of `valgrind --tool=memcheck`, which runs the program on a processor of its own making.
@Suite(
    .enabled(if: !AllocationFixture.isSanitized, "a sanitizer takes the place of malloc itself"),
    .enabled(if: ChildProcess.executable(named: "valgrind") != nil, "there is no valgrind to hold the counts against"),
    .enabled(
        if: ChildProcess.executable(named: "strip") != nil,
        "there is no strip, and valgrind may not know the library's debugging information"))
struct AllocationCrossCheckTests {
    private typealias Fixture = AllocationFixture

    /// What one run under valgrind says of all allocations: the program itself (if it can), and valgrind's summary.
    private func underValgrind(_ program: String, _ arguments: String...) async throws -> (own: [Int], its: [Int]) {
        let folder = TemporaryFolder()
        let valgrind = try #require(ChildProcess.executable(named: "valgrind"))
        let strip = try #require(ChildProcess.executable(named: "strip"))
        return try await onOwnThread {
            // valgrind 3.19 gives up over debugging information that it does not know, of the newest compilers.
            func stripped(_ file: String, as name: String) throws -> String {
                let result = folder.path + "/" + name
                try #require(try ChildProcess.run(strip, ["-g", "-o", result, file]).status == .exited(0))
                return result
            }
            let (library, program) = (
                try stripped(Fixture.library, as: "counter.so"), try stripped(program, as: "program")
            )
            // By default valgrind takes the place of any function named malloc, of this library's too.
            let output = try ChildProcess.run(
                valgrind,
                [
                    "--soname-synonyms=somalloc=nouserintercepts", "--run-libc-freeres=no", "--run-cxx-freeres=no",
                    program, "total",
                ] + arguments, environment: ["LD_PRELOAD": library, "SWIFT_DETERMINISTIC_HASHING": "1"], seconds: 300)
            try #require(output.status == .exited(0), "\(output.errors)")
            // ==123==   total heap usage: 1,239 allocs, 1,202 frees, 292,760 bytes allocated
            let summary = output.errors.split(separator: "\n").first { $0.contains("total heap usage: ") } ?? ""
            let digits = summary.drop { $0 != ":" }.filter { $0 != "," }
            return (
                output.text.split(separator: " ").compactMap { Int($0.filter { !$0.isNewline }) },
                digits.split(separator: " ").compactMap { Int($0) }
            )
        }
    }

    @Test("a C program's allocations, frees and bytes are those that valgrind counts in the same process")
    func cProgram() async throws {
        let (own, its) = try await underValgrind(Fixture.inC)
        #expect(own.count == 3 && own == its)
    }

    @Test("of a Swift program's work valgrind counts as many allocations, frees and bytes as are counted without it")
    func swiftProgram() async throws {
        // Differences between two amounts of work: how a process begins may be different under valgrind.
        func own(_ amount: String) async throws -> [Int] {
            let output = try await onOwnThread {
                try ChildProcess.run(
                    Fixture.inSwift, ["total", amount],
                    environment: ["LD_PRELOAD": Fixture.library, "SWIFT_DETERMINISTIC_HASHING": "1"])
            }
            return output.text.split { $0 == " " || $0.isNewline }.compactMap { Int($0) }
        }
        let (few, many) = (try await own("100"), try await own("1100"))
        let (fewOfIts, manyOfIts) = (
            try await underValgrind(Fixture.inSwift, "100").its, try await underValgrind(Fixture.inSwift, "1100").its
        )
        try #require([few, many, fewOfIts, manyOfIts].allSatisfy { $0.count == 3 })
        let difference = zip(many, few).map { $0 - $1 }
        #expect(difference == zip(manyOfIts, fewOfIts).map { $0 - $1 })
        // 1,000 instances, 1,000 arrays, and more for the dictionary.
        #expect(difference[0] > 2000)
    }
}
