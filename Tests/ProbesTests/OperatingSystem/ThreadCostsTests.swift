import Foundation
import Probes
import Results
import Synchronization
import Testing

/// Against work whose cost is known: pages that are touched, and waits that must be.
@Suite("What a thread cost", .serialized)
struct ThreadCostsTests {
    /// Counts a body as one batch of work on a thread of its own, on which nothing else runs.
    private func costs(
        iterations: Int = 1, emptyBatches: Int = 1, _ body: @escaping @Sendable () -> Void
    ) -> [String: Reading] {
        let readings = Mutex<[String: Reading]>([:])
        let thread = Thread {
            let costs = ThreadCosts()
            for _ in 0..<emptyBatches {
                costs.begin()
                costs.end()
                costs.settle(.empty, iterations: iterations)
            }
            costs.begin()
            body()
            costs.end()
            costs.settle(.work, iterations: iterations)
            readings.withLock { $0 = Dictionary(uniqueKeysWithValues: costs.readings.map { ($0.0.name, $0.1) }) }
        }
        thread.start()
        while !thread.isFinished { sched_yield() }
        return readings.withLock { $0 }
    }

    @Test("100 pages that are touched for the first time are 100 minor faults")
    func faults() throws {
        let pages = 100
        let size = pages * 4096
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        // Huge pages would be one fault for many.
        madvise(memory, size, 15)
        let address = UInt(bitPattern: memory)
        let costs = costs {
            for page in 0..<pages {
                UnsafeMutableRawPointer(bitPattern: address)!.storeBytes(
                    of: 1, toByteOffset: page * 4096, as: UInt8.self)
            }
        }
        munmap(memory, size)
        #expect(costs["thread_minor_faults"] == .measured(100))
        #expect(costs["thread_major_faults"] == .measured(0))
    }

    @Test("20 sleeps are 20 voluntary switches, and no processor time to speak of")
    func switches() throws {
        // A lock of the kernel that another thread of this process holds is a wait as well, and a switch more: seen once in some
        // hundred runs. Of several tries one is undisturbed.
        var costs: [String: Reading] = [:]
        for _ in 0..<10 where costs["thread_voluntary_switches"] != .measured(20) {
            costs = self.costs { for _ in 0..<20 { usleep(200) } }
        }
        #expect(costs["thread_voluntary_switches"] == .measured(20))
        let time = try #require(costs["thread_cpu_time"]?.value)
        #expect(time < 4e6, "the sleeps themselves took at least 4 ms")
    }

    @Test("a thread that spins costs about as much processor time as the clock of its thread says")
    func processorTime() throws {
        // The reads lie outside of what the clock of the thread spans: one that is interrupted there sees more. Of several tries one is
        // undisturbed.
        for _ in 0..<4 {
            let (expected, time, split) = try spin()
            if abs(time - expected) < 200_000, abs(split - expected) < 200_000 { return }
        }
        let (expected, time, split) = try spin()
        #expect(abs(time - expected) < 200_000)
        #expect(abs(split - expected) < 200_000, "user and system time together are the whole")
    }

    /// Spins for 110 ms of processor time: what the thread's clock says, what was told, and what was told in two parts together.
    private func spin() throws -> (expected: Double, time: Double, split: Double) {
        let clock = Mutex(0.0)
        let costs = costs {
            func now() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
            }
            let begin = now()
            while now() - begin < 110e6 {}
            clock.withLock { $0 = now() - begin }
        }
        let time = try #require(costs["thread_cpu_time"]?.value)
        let split = try #require(costs["thread_user_time"]?.value) + #require(costs["thread_system_time"]?.value)
        return (clock.withLock { $0 }, time, split)
    }

    @Test("of less processor time than some ticks it is not told which part was the kernel's")
    func split() {
        #expect(TimeSplit.readings(user: 6e6, system: 6e6).user.status == .notCounted)
        let split = TimeSplit.readings(user: 90e6, system: 30e6)
        #expect(split.user == .measured(90e6) && split.system == .measured(30e6))
    }

    @Test("what belongs to no batch of work is in no reading, and what empty batches cost is subtracted")
    func settling() throws {
        // As with the sleeps: of several tries one waits for no lock of the kernel.
        var costs = costsOfNothing()
        for _ in 0..<10 where costs["thread_voluntary_switches"] != .measured(0) { costs = costsOfNothing() }
        #expect(costs["thread_voluntary_switches"] == .measured(0))
        let time = try #require(costs["thread_cpu_time"]?.value)
        #expect(abs(time) < 50_000, "two batches of nothing, less one of nothing twice")
    }

    /// What is told after two batches of nothing and an empty one, with a sleep outside of all.
    private func costsOfNothing() -> [String: Reading] {
        let readings = Mutex<[String: Reading]>([:])
        let thread = Thread {
            let costs = ThreadCosts()
            costs.begin()
            usleep(100)
            costs.end()
            costs.settle(.unmeasured, iterations: 1)
            usleep(100)
            for kind in [BatchKind.work, .empty, .work] {
                costs.begin()
                costs.end()
                costs.settle(kind, iterations: 10)
            }
            readings.withLock { $0 = Dictionary(uniqueKeysWithValues: costs.readings.map { ($0.0.name, $0.1) }) }
        }
        thread.start()
        while !thread.isFinished { sched_yield() }
        return readings.withLock { $0 }
    }

    @Test("every metric of a thread has a reading, and no reading is of another scope")
    func completeness() {
        let costs = costs {}
        #expect(Set(costs.keys) == Set(Metric.ofThread.map(\.name)))
    }
}
