import TaskMeter

// What the monitor of stalls finds, what it invents, and what it costs.
Suite("Stalls") {
    found
    cost
}.main()
