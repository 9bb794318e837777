import Glibc

/// A pipe whose ends no child inherits but the one that is given it.
package struct Pipe: Sendable {
    package let read: Int32
    package let write: Int32

    /// - Parameter program: what the pipe is for, in the error's sentence.
    package init(for program: String) throws(SpawnError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SpawnError(program: program, reason: String(cString: strerror(errno))) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }
}
