import TaskMeter

// What requests cost, by whom they are made and how. Each benchmark but the first is an experiment: what is compared,
// by which metric, stands in its file. The server is a real nginx on this machine, one for each trial. `--full` adds
// large bodies, and what takes seconds.
Suite("Requests") {
    get
    stacksOverPlain
    stacksOverTLS
    upload
    download
    bodyPlacement
    lookUp
    byAddress
    cookies
    connections
    timeOuts
    cancel
    isolation
}.main()
