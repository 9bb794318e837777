import CCounters
import Glibc
import Probes

/// Starts threads, and waits until all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var threads: [pthread_t] = []
    for _ in 0..<count {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { pointer in
                Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Start(body)).toOpaque())
        precondition(failure == 0, "the system refuses a thread")
        threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
}

func touchOnThreads(_ count: Int, pages: Int) {
    onThreads(count) { ccounters_touch_pages(pages) }
}

/// Each thread counts one task, and keeps its counters until all have theirs.
func countOnThreads(_ counters: TaskCounters, threads: Int) {
    let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
    pthread_barrier_init(barrier, nil, UInt32(threads))
    let address = Int(bitPattern: barrier)
    onThreads(threads) {
        let mark = counters.begin()
        ccounters_spin(1_000)
        counters.end(mark)
        pthread_barrier_wait(UnsafeMutablePointer(bitPattern: address)!)
    }
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
}

/// Runs a shell to its end.
func runShell(_ text: String) {
    var process = pid_t()
    let words = ["/bin/sh", "-c", text].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words { free(word) } }
    guard posix_spawn(&process, "/bin/sh", nil, nil, words, environ) == 0 else { return }
    waitpid(process, nil, 0)
}
