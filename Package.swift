// swift-tools-version: 6.0
import PackageDescription

// The floors of the house, lowest first. A target imports only targets above it in this list;
// the table in the README tells which question each one answers.
let package = Package(
    name: "TaskMeter",
    products: [
        .library(name: "TaskMeter", targets: ["TaskMeter"]),
        // For programs that are no suites: ways of running tasks, the resident thread among them, and the monitor of stalls.
        .library(name: "Strategies", targets: ["Strategies"]),
        .library(name: "StallMonitoring", targets: ["StallMonitoring"]),
        // Ways of making HTTP requests, and what is told of each request.
        .library(name: "HTTPStacks", targets: ["HTTPStacks"]),
        .executable(name: "taskmeter", targets: ["TaskMeterCommand"]),
        // The generator of `taskmeter load`, which finds it beside itself.
        .executable(name: "taskmeter-load", targets: ["taskmeter-load"]),
        // Preloaded into suites whose allocations are counted; nothing links it.
        .library(name: "TaskMeterAllocations", type: .dynamic, targets: ["CAllocationHooks"]),
        // Loaded by the emulator QEMU, never linked: what counts instructions exactly.
        .library(name: "TaskMeterInstructions", type: .dynamic, targets: ["CInstructionPlugin"]),
    ],
    targets: [
        // Floor 0: the outside.
        .target(name: "CLinux"),
        .target(name: "CAllocationHooks"),
        .target(name: "CCounters"),
        .target(name: "CStacks"),
        .systemLibrary(name: "CPAPI", pkgConfig: "papi", providers: [.apt(["libpapi-dev"])]),
        .target(name: "CInstructionPlugin"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Floor 1: pure functions and value types.
        .target(name: "Statistics", dependencies: ["CZlib"]),
        .target(name: "CommandOptions", dependencies: ["CLinux"]),
        .target(name: "ChildProcesses", dependencies: ["CLinux"]),

        // Floor 2: the model of a run and its files; what a stored run says.
        .target(name: "Results", dependencies: ["Statistics"]),
        .target(name: "Words", dependencies: ["Results"]),
        .target(name: "Threading", dependencies: ["Results", "CLinux"]),
        .target(name: "Clocks", dependencies: ["Results", "Threading", "CLinux"]),
        .target(name: "Analysis", dependencies: ["Results", "Statistics", "Words"]),

        // Floor 3: what happened, what did it cost, on which machine?
        .target(name: "Recording", dependencies: ["Clocks", "Results", "Statistics", "Threading", "CLinux"]),
        .target(
            name: "StallMonitoring", dependencies: ["CStacks", "Clocks", "Recording", "Results", "Threading"]),
        .target(
            name: "Probes",
            dependencies: ["ChildProcesses", "Clocks", "Results", "Threading", "CCounters", "CLinux", "CPAPI"]),

        // Floor 4: how are tasks executed?
        .target(name: "Strategies", dependencies: ["Results", "Threading"]),

        // Floor 4: how are requests made?
        .target(
            name: "HTTPStacks",
            dependencies: ["CCurl", "CLinux", "CZlib", "Clocks", "Recording", "Results", "Threading"]),

        // Apart from the others, because whoever links it carries FoundationNetworking.
        .target(name: "URLSessionStacks", dependencies: ["Clocks", "HTTPStacks", "Results", "Threading"]),

        // Floor 5: what a suite's author writes, and the runner of trials.
        .target(
            name: "TaskMeter",
            dependencies: [
                "Analysis", "ChildProcesses", "CLinux", "Clocks", "CommandOptions", "Probes", "Recording", "Results",
                "Statistics", "Strategies", "Threading",
            ]),

        // Requests as tasks: a stack as a strategy, and the work of a trial.
        .target(name: "RequestTasks", dependencies: ["Clocks", "HTTPStacks", "Strategies", "TaskMeter"]),

        // What loads servers: the command plans, the generator does it in processes of its own.
        .target(name: "LoadPlans", dependencies: ["CommandOptions", "Results"]),
        .executableTarget(
            name: "taskmeter-load",
            dependencies: [
                "HTTPStacks", "LoadPlans", "RequestTasks", "Results", "TaskMeter", "URLSessionStacks",
            ]),

        // Floor 6: did it change?
        .target(
            name: "Comparison",
            dependencies: ["Analysis", "CommandOptions", "Results", "Statistics", "TaskMeter", "Words"]),

        // Floor 7: how is it shown?
        .target(
            name: "Reporting",
            dependencies: ["Analysis", "ChildProcesses", "Comparison", "Results", "Statistics", "Words"]),

        // Floor 8: what did the person ask for?
        .executableTarget(
            name: "TaskMeterCommand",
            dependencies: [
                "Analysis", "ChildProcesses", "Clocks", "CommandOptions", "Comparison", "LoadPlans", "Probes",
                "Reporting", "Results", "TaskMeter", "Words",
            ],
            path: "Sources/taskmeter"),

        // The project's own suites, and what they share.
        .target(
            name: "Apparatus", dependencies: ["CLinux", "Probes", "TaskMeter", "Threading"],
            path: "Benchmarks/Apparatus"),
        .target(
            name: "LocalServer", dependencies: ["ChildProcesses", "Results", "Threading"],
            path: "Benchmarks/LocalServer"),
        .executableTarget(
            name: "Requests",
            dependencies: [
                "Apparatus", "CCurl", "Clocks", "HTTPStacks", "LocalServer", "RequestTasks", "Results", "TaskMeter",
                "URLSessionStacks",
            ],
            path: "Benchmarks/Requests"),
        .executableTarget(name: "Compute", dependencies: ["Statistics", "TaskMeter"], path: "Benchmarks/Compute"),
        .executableTarget(
            name: "Scale",
            dependencies: [
                "ChildProcesses", "LocalServer", "Probes", "Recording", "Results", "TaskMeter", "Threading",
            ],
            path: "Benchmarks/Scale"),
        // What ours are held against: a hand-over between threads in C.
        .target(name: "CHandOver", path: "Benchmarks/HandOver"),
        .executableTarget(
            name: "Harness",
            dependencies: [
                "CHandOver", "CPAPI", "Clocks", "Probes", "Recording", "Results", "Statistics", "TaskMeter",
                "Threading",
            ],
            path: "Benchmarks/Harness", exclude: ["google-benchmark.cpp"]),
        .executableTarget(
            name: "Loads",
            dependencies: ["ChildProcesses", "HTTPStacks", "LocalServer", "RequestTasks", "TaskMeter", "Threading"],
            path: "Benchmarks/Loads"),
        .executableTarget(
            name: "Laboratory", dependencies: ["Apparatus", "CLinux", "Statistics", "TaskMeter"],
            path: "Benchmarks/Laboratory"),
        .executableTarget(
            name: "Stalls", dependencies: ["Apparatus", "StallMonitoring", "Statistics", "TaskMeter"],
            path: "Benchmarks/Stalls"),
        .executableTarget(name: "Blocking", dependencies: ["Apparatus", "TaskMeter"], path: "Benchmarks/Blocking"),
        .executableTarget(
            name: "Timers", dependencies: ["CLinux", "TaskMeter", "Threading"], path: "Benchmarks/Timers"),
        .executableTarget(
            name: "Synchronisation", dependencies: ["Apparatus", "Statistics", "TaskMeter"],
            path: "Benchmarks/Synchronisation"),
        .executableTarget(
            name: "Ownership", dependencies: ["Apparatus", "Probes", "TaskMeter"], path: "Benchmarks/Ownership"),

        // Tests mirror the floors; those of the command use the built product as a person does.
        .target(name: "TestSupport", dependencies: ["ChildProcesses", "Results"], path: "Tests/TestSupport"),
        .target(name: "CAllocations", path: "Tests/Fixtures/Allocations"),
        .target(name: "CPowerZone", path: "Tests/Fixtures/PowerZone"),
        .target(name: "CPowerTree", path: "Tests/Fixtures/PowerTree"),
        .executableTarget(
            name: "Helper",
            dependencies: [
                "CAllocations", "ChildProcesses", "CLinux", "Clocks", "CPowerTree", "CPowerZone", "Probes", "Recording",
                "Results", "StallMonitoring",
            ],
            path: "Tests/Fixtures/Helper"),
        .target(name: "CRefusals", path: "Tests/Fixtures/Refusals"),
        .target(name: "CLateAnswers", dependencies: ["CStacks"], path: "Tests/Fixtures/LateAnswers"),
        .executableTarget(
            name: "CounterHelper", dependencies: ["CAllocations", "CCounters", "CRefusals", "Probes", "Results"],
            path: "Tests/Fixtures/Counters"),
        .executableTarget(
            name: "ExactBodies", dependencies: ["CLinux", "Probes", "Results"], path: "Tests/Fixtures/ExactBodies"),
        .executableTarget(name: "Compared", dependencies: ["TaskMeter"], path: "Tests/Fixtures/Compared"),
        .executableTarget(name: "Misbehaving", dependencies: ["TaskMeter"], path: "Tests/Fixtures/Misbehaving"),
        .executableTarget(
            name: "KnownAllocations", dependencies: ["CLinux", "Clocks", "Probes", "Results"],
            path: "Tests/Fixtures/KnownAllocations"),
        .executableTarget(name: "KnownAllocationsInC", path: "Tests/Fixtures/KnownAllocationsInC"),
        .executableTarget(
            name: "Stress", dependencies: ["Results", "Statistics", "Strategies", "Threading"],
            path: "Tests/Fixtures/Stress",
            exclude: ["suppressions.txt"]),
        .executableTarget(name: "KnownTimes", dependencies: ["TaskMeter"], path: "Tests/Fixtures/KnownTimes"),
        .testTarget(name: "StatisticsTests", dependencies: ["Statistics"], exclude: ["Golden"]),
        .testTarget(name: "CommandOptionsTests", dependencies: ["CommandOptions"]),
        .testTarget(
            name: "ChildProcessesTests", dependencies: ["ChildProcesses", "CLinux", "Helper", "TestSupport"]),
        .testTarget(name: "ResultsTests", dependencies: ["Results", "Statistics", "TestSupport"]),
        .testTarget(
            name: "AnalysisTests",
            dependencies: ["Analysis", "Clocks", "Recording", "Results", "Statistics", "TestSupport"]),
        .testTarget(name: "ComparisonTests", dependencies: ["Comparison", "Results", "Statistics", "TestSupport"]),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["ChildProcesses", "Clocks", "Helper", "Recording", "Results", "Statistics", "TestSupport"]),
        .testTarget(name: "ClocksTests", dependencies: ["CLinux", "Clocks", "Results", "TestSupport"]),
        .testTarget(
            name: "StallMonitoringTests",
            dependencies: [
                "CLateAnswers", "ChildProcesses", "Clocks", "Helper", "Recording", "Results", "StallMonitoring",
                "TestSupport", "Threading",
            ]),
        .testTarget(
            name: "StrategiesTests",
            dependencies: ["CHandOver", "Results", "Statistics", "Strategies", "TestSupport", "Threading"]),
        .testTarget(
            name: "TaskMeterTests",
            dependencies: ["Clocks", "Probes", "Recording", "Results", "Statistics", "TaskMeter", "TestSupport"]),
        .testTarget(
            name: "ProbesTests",
            dependencies: [
                "CCounters", "ChildProcesses", "CounterHelper", "ExactBodies", "Helper", "KnownAllocations",
                "KnownAllocationsInC", "Probes", "Results", "Statistics", "TestSupport",
            ]),
        .testTarget(
            name: "HTTPStacksTests", dependencies: ["Clocks", "HTTPStacks", "Results", "TestSupport"]),
        .testTarget(
            name: "URLSessionStacksTests",
            dependencies: ["Clocks", "HTTPStacks", "Results", "TestSupport", "URLSessionStacks"]),
        .testTarget(name: "ComputeTests", dependencies: ["Compute"]),
        .testTarget(
            name: "LocalServerTests", dependencies: ["ChildProcesses", "LocalServer", "Results", "TestSupport"]),
        .testTarget(
            name: "RequestsTests",
            dependencies: [
                "Clocks", "HTTPStacks", "LocalServer", "Recording", "Requests", "Results", "TestSupport",
                "URLSessionStacks",
            ]),
        .testTarget(name: "TimersTests", dependencies: ["Results", "Timers"]),
        .testTarget(name: "ApparatusTests", dependencies: ["Apparatus", "Clocks", "TestSupport"]),
        .testTarget(
            name: "SynchronisationTests", dependencies: ["Clocks", "Results", "Synchronisation", "TestSupport"]),
        .testTarget(name: "OwnershipTests", dependencies: ["Apparatus", "Clocks", "Ownership", "TestSupport"]),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Analysis", "ChildProcesses", "Reporting", "Results", "Statistics", "TestSupport", "Words",
            ]),
        .testTarget(
            name: "TaskMeterCommandTests",
            dependencies: [
                "Analysis", "ChildProcesses", "Compared", "Comparison", "KnownTimes", "LocalServer", "Misbehaving",
                "Results", "Statistics", "TaskMeterCommand", "TestSupport", "taskmeter-load",
            ]),
        .testTarget(name: "LoadPlansTests", dependencies: ["CommandOptions", "LoadPlans", "Results", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
