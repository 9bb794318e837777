import TaskMeter

// Who holds what, and for how long: closures and their objects, observers, temporaries, and the states of an operation's life.

Suite("Ownership") {
    captures
    release
    observation
    temporaries
    lifeCycle
    lifeRace
}.main()
