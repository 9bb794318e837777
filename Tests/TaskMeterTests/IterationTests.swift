import FoundationEssentials
import Glibc
import Recording
import Results
import Synchronization
import TaskMeter
import TestSupport
import Testing

private struct Refused: Error, CustomStringConvertible { let description = "refused" }

/// Counts what a body does, on whatever thread.
private final class Tally: Sendable {
    private let number = Atomic<Int>(0)
    @discardableResult func add(_ change: Int = 1) -> Int { number.add(change, ordering: .relaxed).newValue }
    var value: Int { number.load(ordering: .relaxed) }
}

private func threadName() -> String {
    ((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "").filter { $0 != "\n" }
}

/// An executor of a test's own, which counts what it is given.
private final class CountingExecutor: TaskExecutor {
    let jobs = Tally()
    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add()
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        startThread { job.runSynchronously(on: executor) }
    }
}

// Bodies that suspend take turns with all other tests on the pool: how many samples of them fit into the time is not known.
@Suite("An iteration")
struct IterationTests {
    @Test("is executed in batches whose samples lie in order of time and do not overlap")
    func order() async throws {
        let sampled = try await SampledIteration(Iteration { blackHole(identity(1)) }, samples: 200)
        #expect(sampled.ending.error == nil)
        #expect(sampled.work.count == 200)
        #expect(sampled.empty.count == 25)
        #expect(sampled.rows.first?.series == .empty)
        #expect(Set(sampled.rows.map(\.iterations)).count == 1)
        for (before, after) in zip(sampled.rows, sampled.rows.dropFirst()) {
            #expect(before.begin + before.elapsed <= after.begin)
        }
    }

    @Test("is called as often as its samples say, and before that for calibration and warm-up")
    func count() async throws {
        let calls = Tally()
        let sampled = try await SampledIteration(Iteration { calls.add() })
        let measured = sampled.work.reduce(0) { $0 + $1.iterations }
        #expect(sampled.ending.session.measuredIterations == measured)
        #expect(calls.value > measured)
    }

    @Test("runs on a thread of its own, on the pool, on an executor or on the main actor, as its place says")
    func places() async throws {
        let names = Mutex<Set<String>>([])
        let onThread = try await SampledIteration(
            Iteration { names.withLock { _ = $0.insert(threadName()) } }, samples: 5)
        #expect(onThread.work.count == 5 && names.withLock { $0 } == ["measuring"])

        names.withLock { $0.removeAll() }
        let suspending = try await SampledIteration(
            Iteration(on: .thread) {
                await Task.yield()
                names.withLock { _ = $0.insert(threadName()) }
            }, samples: 5)
        #expect(suspending.work.count >= 1 && names.withLock { $0 } == ["measuring"])

        let executor = CountingExecutor()
        let onExecutor = try await SampledIteration(Iteration(on: .executor(executor)) {}, samples: 5)
        #expect(onExecutor.work.count == 5 && executor.jobs.value > 0)

        let onPool = try await SampledIteration(Iteration { await Task.yield() }, samples: 5)
        #expect(onPool.work.count >= 1)

        let onMain = try await SampledIteration(Iteration(on: .mainActor) { MainActor.preconditionIsolated() })
        #expect(onMain.work.count == 20)
        let suspendingOnMain = try await SampledIteration(
            Iteration(on: .mainActor) {
                MainActor.preconditionIsolated()
                await Task.yield()
                MainActor.preconditionIsolated()
            })
        #expect(suspendingOnMain.work.count >= 1)
    }

    @Test("gets an input of its own each time, which is torn down after its batch")
    func inputs() async throws {
        let made = Tally()
        let given = Tally()
        let reused = Tally()
        let iteration = Iteration(
            setUp: { [made.add()] }, tearDown: { _ in given.add() },
            { numbers in
                // An input that came twice would be longer the second time.
                if numbers.count != 1 { reused.add() }
                numbers.append(0)
            })
        let sampled = try await SampledIteration(iteration)
        #expect(sampled.work.count == 20)
        #expect(sampled.rows.allSatisfy { $0.iterations <= 1_000 })
        #expect(made.value == given.value)
        #expect(reused.value == 0)

        let suspending = try await SampledIteration(
            Iteration(
                setUp: {
                    await Task.yield()
                    return made.add()
                }, tearDown: { _ in given.add() }, { _ in await Task.yield() }), samples: 5)
        #expect(suspending.work.count >= 1)
        #expect(made.value == given.value)
        let onMain = try await SampledIteration(
            Iteration(
                on: .mainActor, setUp: { made.add() },
                tearDown: { _ in
                    MainActor.preconditionIsolated()
                    given.add()
                }, { _ in MainActor.preconditionIsolated() }), samples: 5)
        #expect(onMain.work.count == 5)
        #expect(made.value == given.value)
    }

    @Test("has its set-up and tear-down outside of the time")
    func setUpIsFree() async throws {
        let sampled = try await SampledIteration(
            Iteration(setUp: { usleep(200) }, tearDown: { _ in usleep(200) }, { _ in }), samples: 10,
            duration: .milliseconds(50))
        #expect(sampled.least < 50_000)
    }

    @Test("that throws ends the trial, and what was measured before stays")
    func throwing() async throws {
        let calls = Tally()
        let sampled = try await SampledIteration(
            Iteration { if calls.add() == 200_000 { throw Refused() } }, samples: 1_000_000, duration: .seconds(10),
            everyIteration: true)
        #expect(sampled.ending.error is Refused)
        #expect(sampled.work.count > 10 && sampled.work.count < 200_000)

        let suspending = try await SampledIteration(
            Iteration {
                await Task.yield()
                throw Refused()
            })
        #expect(suspending.ending.error is Refused)
        #expect(suspending.rows.isEmpty)

        let made = Tally()
        let given = Tally()
        let prepared = try await SampledIteration(
            Iteration(setUp: { made.add() }, tearDown: { _ in given.add() }, { _ in throw Refused() }))
        #expect(prepared.ending.error is Refused)
        #expect(made.value > 0 && made.value == given.value, "its inputs are torn down all the same")
    }

    @Test("with windows is measured inside of them alone")
    func windows() async throws {
        let sampled = try await SampledIteration(
            Iteration { (window: inout MeasuredWindow) in
                usleep(100)
                window.start()
                blackHole(identity(1))
                window.stop()
                window.start()
                window.stop()
            }, samples: 10, duration: .milliseconds(100))
        #expect(sampled.ending.error == nil)
        #expect(sampled.work.count >= 1)
        #expect(sampled.least < 20_000)

        let suspending = try await SampledIteration(
            Iteration { (window: inout MeasuredWindow) in
                window.start()
                await Task.yield()
                window.stop()
            }, samples: 5)
        #expect(suspending.work.count >= 1)
        let onMain = try await SampledIteration(
            Iteration(on: .mainActor) { (window: inout MeasuredWindow) in
                MainActor.preconditionIsolated()
                window.start()
                window.stop()
            }, samples: 5)
        #expect(onMain.work.count == 5)
    }

    @Test("that misuses its window ends the trial with the name of the misuse")
    func misuse() async throws {
        func misuse(_ body: @escaping @Sendable (inout MeasuredWindow) -> Void) async throws -> MeasuredWindowMisuse? {
            try await SampledIteration(Iteration(body)).ending.error as? MeasuredWindowMisuse
        }
        #expect(
            try await misuse { window in
                window.start()
                window.start()
                window.stop()
            } == .startedTwice)
        #expect(try await misuse { $0.stop() } == .stoppedWithoutStart)
        #expect(try await misuse { _ in } == .neverStarted)
        #expect(try await misuse { $0.start() } == .stillOpen)
        #expect(MeasuredWindowMisuse.stillOpen.description.contains("stillOpen"))
    }
}
