import Glibc
import TestSupport
import Testing

extension StallsTests {
    @Suite struct StoppedProcessTests {
        @Test("a process that was stopped by a signal has a gap, and no stall by it")
        func stopped() async throws {
            try await onOwnThread {
                for _ in 0..<3 {
                    let helper = try HelperProcess("watch-stalls", "until-stopped")
                    #expect(helper.line() == "ready")
                    helper.child.signal(SIGSTOP)
                    var status: Int32 = 0
                    #expect(waitpid(helper.child.pid, &status, WUNTRACED) == helper.child.pid && status & 0xff == 0x7f)
                    // This is how long the process is stopped, and no waiting for anything.
                    usleep(700_000)
                    helper.child.signal(SIGCONT)
                    let answer = try #require(helper.line()).split(separator: " ").compactMap { Int($0) }
                    #expect(answer.count == 2 && answer[0] == 0 && answer[1] >= 600)
                    #expect(helper.child.waitUntilExit() == .exited(0))
                }
            }
        }
    }
}
