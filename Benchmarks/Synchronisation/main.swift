import TaskMeter

// What it costs to keep threads from each other's way, to have one wait for another, and to share work among them.

Suite("Synchronisation") {
    sharedState
    inOrder
    grains
    onceAccess
    onceRace
}.main()
