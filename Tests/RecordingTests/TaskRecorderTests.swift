import Glibc
import Recording
import Results
import Synchronization
import TestSupport
import Testing

@Suite struct TaskRecorderTests {
    @Test("a task's begin, end and spent are read back by its ID")
    func byID() throws {
        let recorder = try TaskRecorder()
        let before = recorder.clock.now()
        let tasks = (0..<3).map { _ in recorder.submit() }
        recorder.begin(tasks[1])
        recorder.end(tasks[1])
        let after = recorder.clock.now()
        #expect(tasks.map(\.number) == [0, 1, 2])
        let record = try #require(recorder[tasks[1]])
        let begin = try #require(record.begin)
        let end = try #require(record.end)
        #expect(before <= record.submitted && record.submitted <= begin && begin <= end && end <= after)
        #expect(record.due == record.submitted && record.lag == .zero)
        #expect(record.spent == end - begin && record.status == .ok && record.worker == 0)
        #expect(recorder.submittedTasks == 3 && recorder.faults == .none && recorder.lost == nil)
    }

    @Test("a task that was due before it was submitted keeps both moments")
    func due() throws {
        let recorder = try TaskRecorder()
        let due = Instant(sinceOrigin: -1_000)
        let task = recorder.submit(due: due)
        recorder.begin(task)
        recorder.end(task)
        let record = try #require(recorder[task])
        #expect(record.due == due && record.lag == record.submitted - due && record.lag.count >= 1_000)
        #expect(record.lag + record.wait! + record.spent! == record.response)
    }

    @Test("moments that were read before are kept as they are")
    func before() throws {
        let recorder = try TaskRecorder()
        let moments = [-4, -3, -2, -1].map { Instant(sinceOrigin: $0) }
        let task = recorder.submit(due: moments[0], at: moments[1])
        recorder.begin(task, at: moments[2])
        recorder.end(task, .ok, at: moments[3])
        let record = try #require(recorder[task])
        #expect([record.due, record.submitted, record.begin, record.end] == moments)
        #expect(record.lag.count == 1 && record.wait?.count == 1 && record.spent?.count == 1)
        #expect(recorder.faults == .none)
    }

    @Test("a task that has not begun, or not ended, is unfinished and has no moment that was made up")
    func unfinished() throws {
        let recorder = try TaskRecorder()
        let submitted = recorder.submit()
        let begun = recorder.submit()
        recorder.begin(begun)
        let first = try #require(recorder[submitted])
        #expect(first.begin == nil && first.end == nil && first.worker == nil && first.status == .unfinished)
        #expect(first.wait == nil && first.spent == nil && first.response == nil)
        let second = try #require(recorder[begun])
        #expect(second.begin != nil && second.end == nil && second.status == .unfinished && second.spent == nil)
    }

    @Test("a task that ends twice keeps its first end and is counted as a fault")
    func endedTwice() throws {
        let recorder = try TaskRecorder()
        let task = recorder.submit()
        recorder.begin(task)
        recorder.end(task, .failed(reason: "first"))
        let record = recorder[task]
        recorder.end(task, .ok)
        recorder.end(task, .cancelled)
        #expect(recorder[task] == record && record?.status == .failed(reason: "first"))
        #expect(recorder.faults == RecordingFaults(endedTwice: 2))
    }

    @Test("a task that begins twice keeps its first begin, also after its end, and is counted as a fault")
    func begunTwice() throws {
        let recorder = try TaskRecorder()
        let task = recorder.submit()
        recorder.begin(task)
        let begin = recorder[task]?.begin
        recorder.begin(task)
        #expect(recorder[task]?.begin == begin)
        recorder.end(task)
        let record = recorder[task]
        recorder.begin(task)
        #expect(recorder[task] == record)
        #expect(recorder.faults == RecordingFaults(begunTwice: 2))
    }

    @Test("an end without a begin is not stored, is counted as a fault, and leaves room for the true one")
    func endedWithoutBegin() throws {
        let recorder = try TaskRecorder()
        let task = recorder.submit()
        recorder.end(task)
        #expect(recorder[task]?.end == nil && recorder[task]?.status == .unfinished)
        recorder.begin(task)
        recorder.end(task)
        #expect(recorder[task]?.status == .ok)
        #expect(recorder.faults == RecordingFaults(endedWithoutBegin: 1))
    }

    @Test(
        "IDs that were never given out are unknown, whatever their number", arguments: [-1, 0, 1, 20_000, .max, .min])
    func unknown(_ number: Int) throws {
        let recorder = try TaskRecorder()
        recorder.begin(TaskID(number))
        recorder.end(TaskID(number))
        recorder.add(bytes: 1, to: TaskID(number))
        #expect(recorder[TaskID(number)] == nil)
        #expect(recorder.faults.unknownTask >= 2 && recorder.faults.total == recorder.faults.unknownTask)
        #expect(recorder.submittedTasks == 0)
    }

    @Test("what a task failed for is kept, whether it is empty, long or not ASCII")
    func reasons() throws {
        let recorder = try TaskRecorder()
        let reasons = ["", "HTTP 500", "größer 🙂\n\"x\"", String(repeating: "long ", count: 200), "HTTP 500"]
        let tasks = reasons.map { reason in
            let task = recorder.submit()
            recorder.begin(task)
            recorder.end(task, .failed(reason: reason))
            return task
        }
        for (task, reason) in zip(tasks, reasons) { #expect(recorder[task]?.status == .failed(reason: reason)) }
    }

    @Test("more reasons than there is room for lose their text, and nothing else")
    func tooManyReasons() throws {
        let recorder = try TaskRecorder()
        for number in 0..<2_000 {
            let task = recorder.submit()
            recorder.begin(task)
            recorder.end(task, .failed(reason: "reason number \(number) that is different from all the others"))
        }
        #expect(recorder[TaskID(0)]?.status == .failed(reason: "reason number 0 that is different from all the others"))
        #expect(
            recorder[TaskID(1_999)]?.status == .failed(reason: "the reason was not kept: too many different ones"))
        #expect(recorder.faults == .none)
    }

    @Test("bytes add up, and cancelled is a way to end; unfinished is taken for cancelled")
    func bytes() throws {
        let recorder = try TaskRecorder()
        let task = recorder.submit()
        recorder.begin(task)
        recorder.add(bytes: 40, to: task)
        recorder.add(bytes: 2, to: task)
        recorder.end(task, .cancelled)
        #expect(recorder[task]?.bytes == 42 && recorder[task]?.status == .cancelled)
        let other = recorder.submit()
        recorder.begin(other)
        recorder.end(other, .unfinished)
        #expect(recorder[other]?.status == .cancelled)
    }

    @Test("a task may begin on one thread and end on another")
    func threads() async throws {
        let recorder = try TaskRecorder()
        let task = recorder.submit()
        try await onOwnThread { recorder.begin(task) }
        try await onOwnThread { _ = recorder.end(task) }
        #expect(recorder[task]?.status == .ok && recorder.faults == .none)
    }

    @Test("an end that was read before the begin, on another thread, is no end")
    func endBeforeBegin() throws {
        let recorder = try TaskRecorder()
        let task = recorder.submit()
        let early = recorder.clock.now()
        recorder.begin(task)
        #expect(!recorder.end(task, .ok, at: early + Nanoseconds(-1)))
        #expect(recorder.faults == RecordingFaults(endedWithoutBegin: 1))
        #expect(recorder[task]?.end == nil)
        #expect(recorder.end(task))
    }

    @Test("workers are numbered in the order in which they first begin a task, anew for each recorder")
    func workers() async throws {
        for _ in 0..<2 {
            let recorder = try TaskRecorder()
            for worker in 0..<3 {
                try await onOwnThread {
                    for _ in 0..<2 { recorder.begin(recorder.submit()) }
                    #expect(recorder[TaskID(2 * worker)]?.worker == worker)
                    #expect(recorder[TaskID(2 * worker + 1)]?.worker == worker)
                }
            }
        }
    }

    @Test("of eight million tasks that eight threads begin and end crosswise, nothing is lost and nothing is torn")
    func manyThreads() async throws {
        let recorder = try TaskRecorder()
        let threads = 8
        let perThread = 1_000_000
        let next = Atomic<Int>(0)
        let done = Gate()
        try await onOwnThread {
            for thread in 0..<threads {
                startThread {
                    for _ in 0..<perThread { recorder.begin(recorder.submit()) }
                    // Each ends what the others began too: IDs are handed out to whoever comes.
                    while true {
                        let number = next.add(1, ordering: .relaxed).oldValue
                        guard number < threads * perThread else { break }
                        while recorder[TaskID(number)]?.begin == nil { sched_yield() }
                        recorder.end(TaskID(number), number % 1_000 == 0 ? .failed(reason: "thousandth") : .ok)
                    }
                    _ = thread
                    done.open()
                }
            }
            for _ in 0..<threads { done.pass() }
        }
        #expect(recorder.submittedTasks == threads * perThread)
        #expect(recorder.faults == .none && recorder.lost == nil)
        var wrong = 0
        var workers: Set<Int> = []
        for number in 0..<threads * perThread {
            guard let record = recorder[TaskID(number)], let begin = record.begin, let end = record.end,
                let worker = record.worker, record.submitted <= begin, begin <= end,
                record.lag + record.wait! + record.spent! == record.response,
                record.status == (number % 1_000 == 0 ? .failed(reason: "thousandth") : .ok)
            else {
                wrong += 1
                continue
            }
            workers.insert(worker)
        }
        #expect(wrong == 0)
        #expect(workers == Set(0..<threads))
    }

    @Test("of threads that race to begin and to end one task, one wins and the others are faults")
    func race() async throws {
        let recorder = try TaskRecorder()
        let tasks = (0..<2_000).map { _ in recorder.submit() }
        let done = Gate()
        try await onOwnThread {
            for _ in 0..<4 {
                startThread {
                    for task in tasks {
                        recorder.begin(task)
                        // An end before the winner's begin is stored would be a fault of another kind.
                        while recorder[task]?.begin == nil { sched_yield() }
                        recorder.end(task)
                    }
                    done.open()
                }
            }
            for _ in 0..<4 { done.pass() }
        }
        #expect(recorder.faults == RecordingFaults(begunTwice: 6_000, endedTwice: 6_000))
        #expect(tasks.allSatisfy { recorder[$0]?.status == .ok })
    }
}
