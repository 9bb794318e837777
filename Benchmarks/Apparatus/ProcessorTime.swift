import Glibc
import TaskMeter

/// What all threads of this process have used of the processors so far.
package func processorTime() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
