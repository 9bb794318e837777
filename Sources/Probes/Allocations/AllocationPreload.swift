import CLinux
import Glibc
import Results

extension AllocationLibrary {
    /// Why a library cannot be preloaded into a program, or could not count in it; nil when it can.
    package static func refusal(ofProgram path: String) -> Reading? {
        var status = stat()
        guard stat(path, &status) == 0 else { return .unsupported(reason: "\(path): \(errnoText())") }
        // Such programs run in secure-execution mode, in which the dynamic linker ignores paths in LD_PRELOAD (ld.so(8)).
        if status.st_mode & S_ISUID != 0, status.st_uid != getuid() {
            return .unsupported(reason: "\(path) is setuid: the dynamic linker preloads nothing into it")
        }
        if status.st_mode & S_ISGID != 0, status.st_gid != getgid() {
            return .unsupported(reason: "\(path) is setgid: the dynamic linker preloads nothing into it")
        }
        if getuid() != 0, clinux_has_capabilities(path) != 0 {
            return .unsupported(reason: "\(path) has file capabilities: the dynamic linker preloads nothing into it")
        }
        do {
            return refusal(of: try ProgramFile(path), path)
        } catch .unreadable(let reason) {
            return .unsupported(reason: "\(path): \(reason)")
        } catch {
            return .unsupported(reason: "\(path) is no program of this machine's own kind (64-bit ELF)")
        }
    }

    private static func refusal(of program: ProgramFile, _ path: String) -> Reading? {
        guard let interpreter = program.interpreter else {
            return .unsupported(reason: "\(path) is linked statically: nothing can be preloaded into it")
        }
        guard !interpreter.contains("musl") else {
            return .unsupported(reason: "\(path) uses the C library musl, and allocations are counted in glibc only")
        }
        return Sanitizer.allCases.first { program.names($0.beginning) }.map { $0.refusal }
    }
}

/// The sanitizers that take the place of malloc themselves.
enum Sanitizer: String, CaseIterable {
    case address, thread, memory, leak

    /// The function with which each of them begins, and which a program that is built with it names.
    var beginning: String {
        switch self {
        case .address: "__asan_init"
        case .thread: "__tsan_init"
        case .memory: "__msan_init"
        case .leak: "__lsan_init"
        }
    }

    /// The one that is in this process.
    static var present: Sanitizer? { allCases.first { dlsym(nil, $0.beginning) != nil } }

    var refusal: Reading {
        .unsupported(reason: "the program is built with the \(rawValue) sanitizer, which takes the place of malloc")
    }
}
