import ChildProcesses
import Glibc
import Probes
import Results
import TestSupport
import Testing

/// The compiler that comes with Swift; nil where there is none.
private let clang = ChildProcess.executable(named: "clang")

/// Compiles a C program or library into a folder; nil where the compiler cannot.
private func compiled(_ source: String, _ options: String..., in folder: TemporaryFolder) -> String? {
    guard let clang else { return nil }
    let (text, result) = (folder.write(source, to: "source.c"), folder.path + "/compiled")
    let output = try? ChildProcess.run(clang, ["-O1", "-fno-builtin", text, "-o", result] + options)
    return output?.status == .exited(0) ? result : nil
}

private let smallProgram = "int main(void) { return 0; }"
private let folderOfStaticProgram = TemporaryFolder()
/// Nil where there is no C library to link statically with.
private let staticProgram = compiled(smallProgram, "-static", in: folderOfStaticProgram)

@Suite struct AllocationLibraryTests {
    private typealias Fixture = AllocationFixture
    private let folder = TemporaryFolder()

    @Test("the library lies beside the program that runs, or beside the suite, and else is told how to build")
    func places() throws {
        let (program, suite) = (folder.write("", to: "a/taskmeter"), folder.write("", to: "b/Suite"))
        let error = #expect(throws: AllocationsNotCounted.self) {
            try AllocationLibrary.path(forSuite: suite, program: program)
        }
        #expect(
            error?.reading.reason?.hasSuffix(
                "/b: build it with swift build -c release --product TaskMeterAllocations") == true)
        let besideSuite = folder.write("", to: "b/libTaskMeterAllocations.so")
        #expect(try AllocationLibrary.path(forSuite: suite, program: program) == besideSuite)
        let besideProgram = folder.write("", to: "a/libTaskMeterAllocations.so")
        #expect(try AllocationLibrary.path(forSuite: suite, program: program) == besideProgram)
    }

    @Test("what a person preloads stays, behind the library", .enabled(if: !AllocationFixture.isSanitized))
    func kept() throws {
        func preload(_ before: String?) throws -> String? {
            try AllocationLibrary.environment(
                forSuite: Fixture.inSwift, program: Fixture.inSwift, preloaded: before)["LD_PRELOAD"]
        }
        let library = Fixture.library
        #expect(try preload(nil) == library)
        #expect(try preload("") == library)
        #expect(try preload("/a.so:/b.so c.so") == "\(library):/a.so:/b.so:c.so")
        #expect(try preload("/a.so:\(library)") == "\(library):/a.so")
    }

    @Test("a path that LD_PRELOAD cannot hold is told", .enabled(if: !AllocationFixture.isSanitized))
    func blanks() {
        folder.write("", to: "a folder/libTaskMeterAllocations.so")
        let program = folder.write("", to: "a folder/taskmeter")
        let error = #expect(throws: AllocationsNotCounted.self) {
            try AllocationLibrary.environment(forSuite: Fixture.inSwift, program: program)
        }
        #expect(error?.reading.reason?.contains("holds no path with a blank or a colon") == true)
    }

    @Test(
        "programs into which something can be preloaded are not refused", .enabled(if: !AllocationFixture.isSanitized))
    func notRefused() {
        #expect(AllocationLibrary.refusal(ofProgram: Fixture.inSwift) == nil)
        #expect(AllocationLibrary.refusal(ofProgram: Fixture.inC) == nil)
        #expect(AllocationLibrary.refusal(ofProgram: "/bin/sh") == nil)
    }

    @Test("what is no program is refused, and damaged files break nothing")
    func noPrograms() throws {
        #expect(AllocationLibrary.refusal(ofProgram: "/no/such/program")?.reason?.contains("No such file") == true)
        for text in ["", "#!/bin/sh\n", "\u{7f}ELF"] {
            let reason = AllocationLibrary.refusal(ofProgram: folder.write(text, to: "program"))?.reason
            #expect(reason?.hasSuffix("is no program of this machine's own kind (64-bit ELF)") == true)
        }
        let file = try #require(fopen("/bin/sh", "r"))
        var bytes = [UInt8](repeating: 0, count: 2000)
        _ = fread(&bytes, 1, bytes.count, file)
        fclose(file)
        for length in stride(from: 1, to: bytes.count, by: 7) {
            #expect(AllocationLibrary.refusal(ofProgram: folder.write(bytes[..<length], to: "cut")) != nil)
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var damaged = bytes
            for _ in 0..<20 { damaged[Int.random(in: 6..<700, using: &generator)] = UInt8.random(in: 0...255) }
            _ = AllocationLibrary.refusal(ofProgram: folder.write(damaged, to: "damaged"))
        }
    }

    @Test(
        "a statically linked program is refused",
        .enabled(if: staticProgram != nil, "there is no clang, or no C library to link statically with"))
    func staticallyLinked() throws {
        let reason = AllocationLibrary.refusal(ofProgram: try #require(staticProgram))?.reason
        #expect(reason?.contains("linked statically") == true)
    }

    @Test(
        "a program that is built with a sanitizer is refused",
        .enabled(if: clang != nil, "there is no clang to make one"),
        arguments: ["address", "thread"])
    func sanitized(_ sanitizer: String) throws {
        // The thread sanitizer of Swift's toolchain wants Dispatch as well; the program is not run.
        let program = try #require(
            compiled(
                smallProgram, "-fsanitize=\(sanitizer)", "-Wl,--unresolved-symbols=ignore-all", in: folder))
        #expect(
            AllocationLibrary.refusal(ofProgram: program)
                == .unsupported(
                    reason: "the program is built with the \(sanitizer) sanitizer, which takes the place of malloc"))
    }

    @Test(
        "a program that names the beginning of a sanitizer which this toolchain may lack is refused, too",
        .enabled(if: clang != nil, "there is no clang to make one"), arguments: ["memory", "leak"])
    func namesSanitizer(_ sanitizer: String) throws {
        let beginning = sanitizer == "memory" ? "__msan_init" : "__lsan_init"
        let program = try #require(
            compiled(
                "extern void \(beginning)(void); int main(void) { \(beginning)(); }",
                "-Wl,--unresolved-symbols=ignore-all", in: folder))
        let reason = AllocationLibrary.refusal(ofProgram: program)?.reason
        #expect(reason == "the program is built with the \(sanitizer) sanitizer, which takes the place of malloc")
    }

    @Test(
        "a program of another C library is refused", .enabled(if: clang != nil, "there is no clang to make one"))
    func otherLibrary() throws {
        let program = try #require(
            compiled(smallProgram, "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1", in: folder))
        #expect(AllocationLibrary.refusal(ofProgram: program)?.reason?.contains("uses the C library musl") == true)
    }

    @Test(
        "a setuid program is refused, and the dynamic linker does preload nothing into it",
        .enabled(if: getuid() == 0, "only root can make one that is another's"))
    func setuid() async throws {
        let program = folder.path + "/program"
        let copied = try await onOwnThread { try ChildProcess.run("/bin/cp", [Fixture.inC, program]) }
        try #require(copied.status == .exited(0))
        // Root's own setuid programs change nothing for root.
        chmod(program, 0o4755)
        #expect(AllocationLibrary.refusal(ofProgram: program)?.reason?.contains("setuid") != true)
        chown(program, 65534, 65534)
        chmod(folder.path, 0o755)
        chmod(program, 0o4755)
        #expect(AllocationLibrary.refusal(ofProgram: program)?.reason?.contains("is setuid") == true)
        chmod(program, 0o2755)
        #expect(AllocationLibrary.refusal(ofProgram: program)?.reason?.contains("is setgid") == true)

        var place = statvfs()
        guard statvfs(program, &place) == 0, place.f_flag & UInt(ST_NOSUID) == 0 else { return }
        let output = try await onOwnThread {
            try ChildProcess.run(program, ["switch"], environment: ["LD_PRELOAD": Fixture.library])
        }
        #expect(output.text == "not preloaded\n")
    }

    @Test(
        "a program with file capabilities is refused to an unprivileged user",
        .enabled(if: getuid() == 0 && ChildProcess.executable(named: "setcap") != nil, "root and setcap can make one"))
    func capabilities() async throws {
        let setcap = try #require(ChildProcess.executable(named: "setcap"))
        let program = folder.path + "/program"
        let text = try await onOwnThread { () throws -> String? in
            _ = try ChildProcess.run("/bin/cp", ["/bin/true", program])
            chmod(folder.path, 0o755)
            chmod(program, 0o755)
            // Not every file system keeps them.
            guard try ChildProcess.run(setcap, ["cap_net_raw+ep", program]).status == .exited(0) else { return nil }
            return try ChildProcess.run(Fixture.inSwift, ["refusal", program]).text
        }
        if let text { #expect(text.contains("has file capabilities")) }
        #expect(AllocationLibrary.refusal(ofProgram: program) == nil)
    }

    /// An allocator that a person preloads; it has no malloc_usable_size.
    private static let allocator = """
        #include <stddef.h>
        extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
        extern void *__libc_memalign(size_t, size_t), __libc_free(void *);
        void *malloc(size_t size) { return __libc_malloc(size); }
        void *calloc(size_t number, size_t size) { return __libc_calloc(number, size); }
        void *realloc(void *block, size_t size) { return __libc_realloc(block, size); }
        void *aligned_alloc(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }
        void free(void *block) { __libc_free(block); }
        """

    @Test(
        "another allocator that is preloaded behind the library is counted, but for sizes that it does not tell",
        .enabled(if: clang != nil && !AllocationFixture.isSanitized, "there is no clang to make one"))
    func allocatorBehind() async throws {
        let other = try #require(compiled(Self.allocator, "-shared", "-fPIC", in: folder))
        let lines = try await Fixture.lines(Fixture.inSwift, "process", preload: Fixture.library + ":" + other)
        #expect(lines.count == 7 && lines.first == "process_allocations: 4.0")
        for line in lines where line.hasPrefix("peak_live_bytes") || line.hasPrefix("leaked_bytes") {
            #expect(line.contains("unsupported: another preloaded library answers malloc"))
        }
    }

    @Test(
        "an allocator that answers before the library leaves nothing to count, and that is told",
        .enabled(if: clang != nil && !AllocationFixture.isSanitized, "there is no clang to make one"))
    func allocatorBefore() async throws {
        let other = try #require(compiled(Self.allocator, "-shared", "-fPIC", in: folder))
        let output = try await onOwnThread {
            try ChildProcess.run(
                Fixture.inSwift, ["bodies"], environment: ["LD_PRELOAD": other + ":" + Fixture.library])
        }
        #expect(output.status == .exited(3))
        #expect(output.text.hasPrefix("unsupported: the program has an allocator of its own"))
    }
}
