import TaskMeter

// Where each way of running tasks breaks down. Each benchmark is an experiment: what is compared, by which metric, stands in
// its file; the report makes the finding from the numbers. `--full` adds what takes minutes: 1,000 and 10,000 blocked tasks.
Suite("Laboratory") {
    exhaustion
    residentLoops
    nestedWait
    mechanisms
    sharing
    longBeforeShort
    priorities
    handOver
    burst
    answers
    queueOperations
}.main()
