import CLateAnswers
import Clocks
import Glibc
import Results
import StallMonitoring
import TestSupport
import Testing
import Threading

/// Where stalled threads were.
extension StallsTests {
    @Suite struct StackTests {
        @Test(
            "the stack of a stalled run loop, or of an executor with one thread, names the function that stalls it",
            arguments: [Kind.runLoop, .executor], [false, true])
        func named(_ kind: Kind, _ sleeping: Bool) async throws {
            try await onOwnThread {
                let thing = kind.make()
                let monitor = try StallsTests.monitor()
                thing.watch(monitor)
                // Beats are to show first on which thread they always run.
                let begin = monitor.clock.now()
                wait { monitor.clock.now() - begin > .milliseconds(200) }
                let thread = thing.runAndWait { threadNumber() }
                // A thread that gets no processor does not answer in time, and one that nobody noticed in time is
                // stalled no more.
                var stall: Stall?
                for _ in 0..<50 where stall?.stack.trace == nil {
                    stall = try #require(inject(60, into: thing, monitor, sleeping: sleeping)).0
                }
                let captured = try #require(stall)
                #expect(captured.thread == thread)
                let frames = try #require(captured.stack.trace, "\(captured.stack)").frames()
                #expect(
                    frames.contains { $0.function?.contains("distinctivelyNamedStall") == true },
                    "\(frames.map(\.description).joined(separator: "\n"))")
                monitor.stop()
                thing.end()
            }
        }

        @Test("a stall has no stack, but a reason, where the thread is unknown or stacks are not asked for")
        func unavailable() async throws {
            try await onOwnThread {
                for (kind, reason) in [
                    (Kind.queue, "the thread of a queue changes"), (.actor, "the thread of an actor"),
                ] {
                    let thing = kind.make()
                    let monitor = try StallsTests.monitor()
                    thing.watch(monitor)
                    let (stall, _) = try #require(inject(30, into: thing, monitor, sleeping: true))
                    guard case .unavailable(let text) = stall.stack else { throw Unexpected(stall) }
                    #expect(text.hasPrefix(reason) && stall.thread == nil)
                    monitor.stop()
                }
                let thing = Kind.runLoop.make()
                let monitor = try StallMonitor(
                    threshold: .milliseconds(5), sampling: .milliseconds(2), capturesStacks: false)
                thing.watch(monitor)
                // Sleeps that no signal ends early are as long as they are meant to be.
                let (stall, _) = try #require(inject(30, into: thing, monitor, sleeping: true))
                if stall.stack != .unavailable(reason: "the stall was over when it was noticed") {
                    #expect(stall.stack == .unavailable(reason: "stacks are not asked for"))
                }
                monitor.stop()
                thing.end()
            }
        }

        @Test("a capture that an older one's answer ended leaves nothing for its own thread to write")
        func lateAnswers() async throws {
            try await onOwnThread {
                let answers = clate_answers_run()
                #expect(answers.refusal == 0)
                #expect(answers.first == EBUSY && answers.second == EBUSY)
                #expect(answers.wrote_late == 0)
            }
        }

        private struct Unexpected: Error {
            init(_ stall: Stall) {}
        }

        @Test("a handler of the program's own is left alone, and no signal stays taken after the stop")
        func signals() async throws {
            try await onOwnThread {
                let before = handledRealtimeSignals()
                var own = sigaction()
                own.__sigaction_handler.sa_handler = { _ in }
                sigaction(lastRealtimeSignal, &own, nil)
                let thing = Kind.runLoop.make()
                let monitor = try StallsTests.monitor()
                thing.watch(monitor)
                thing.runAndWait {}
                #expect(wait { handledRealtimeSignals().count == before.count + 2 })
                _ = try #require(inject(30, into: thing, monitor, sleeping: false))
                var now = sigaction()
                sigaction(lastRealtimeSignal, nil, &now)
                #expect(
                    unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self)
                        == unsafeBitCast(own.__sigaction_handler.sa_handler, to: Int.self))
                monitor.stop()
                #expect(handledRealtimeSignals() == before.union([lastRealtimeSignal]))
                signal(lastRealtimeSignal, SIG_DFL)
                thing.end()
            }
        }
    }
}

/// SIGRTMAX, which Swift does not see.
private let lastRealtimeSignal: Int32 = 64

private func handledRealtimeSignals() -> Set<Int32> {
    Set(
        (34...64).filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 0
        })
}

/// The kernel's number of the calling thread.
private func threadNumber() -> Int32? {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = max(readlink("/proc/thread-self", &buffer, buffer.count), 0)
    return Int32(String(decoding: buffer[..<count].map { UInt8($0) }, as: UTF8.self).split(separator: "/").last ?? "")
}
