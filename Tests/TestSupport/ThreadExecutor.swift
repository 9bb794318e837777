/// Runs each job on a thread of its own.
///
/// The pool that tasks share has a thread for each core, and tests that block hold them up.
package final class ThreadExecutor: TaskExecutor {
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        startThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
