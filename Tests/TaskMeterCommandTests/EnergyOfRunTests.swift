import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

/// Whole runs on a machine with energy counters: zones whose counters rise at known watts stand in `/sys/class/powercap`, shown to
/// these runs alone, and the command is what people use.
@Suite(
    "The energy of a whole run",
    .enabled(
        if: getuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0,
        "mounts that only a run sees take the superuser, and zones whose counters rise take /dev/fuse"))
struct EnergyOfRunTests {
    /// Whether a person asked for the figures: `make test-hardware`.
    private let isShown = getenv("TASKMETER_SHOW_FIGURES") != nil

    /// Watts of the zones in the helper's `risingZones`.
    private static let (packages, memory, platform) = (65.0 + 40, 7.0, 180.0)

    private func run(
        _ folder: TemporaryFolder, readsOfOne: Int = 0, asNobody: Bool = false, _ options: String...
    ) throws -> ChildProcess.Output {
        chmod(folder.path, 0o755)
        for name in ["machine", "runs"] { mkdir("\(folder.path)/\(name)", 0o777) }
        chmod(folder.path + "/runs", 0o777)
        var command = ["run-beside-zones", folder.path + "/machine", "\(readsOfOne)"]
        if asNobody { command += ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] }
        let product = folder.path + "/machine/product"
        command += [product + "/taskmeter", "run", "--suite", product + "/Blocking", "--filter", "/sleep"]
        command += ["--output", folder.path + "/runs"] + options
        return try ChildProcess.run(HelperProcess.path, command, environment: ["TMPDIR": "/tmp"], seconds: 120)
    }

    private func rows(_ folder: TemporaryFolder, _ metric: String) throws -> [SampleCSV.Row] {
        try SampleCSV.read(RunFolder(folder.path + "/runs/latest").samplesFile).filter { $0.sample.metric == metric }
    }

    /// The value of a metric by trial, where it was measured.
    private func values(_ folder: TemporaryFolder, _ metric: String) throws -> [Int: Double] {
        let measured = try rows(folder, metric).filter { $0.sample.reading.status == .measured }
        return Dictionary(measured.compactMap { row in row.sample.value.map { (row.trial, $0) } }) { first, _ in first }
    }

    @Test("is that of both packages for each trial, next to nothing net of rest, with memory and platform apart")
    func known() throws {
        let folder = TemporaryFolder()
        let output = try run(
            folder, "--axis", "strategy=serial-queue,resident-thread", "--trials", "3", "--idle", "2", "--battery",
            "360")
        try #require(output.status == .exited(0), "\(output.text)\(output.errors)")
        let latest = RunFolder(folder.path + "/runs/latest")
        let trials = try TrialCSV.read(latest.trialsFile)
        #expect(trials.count == 6)
        let energies = try values(folder, "cpu_energy")
        let (powers, nets) = (try values(folder, "cpu_power"), try values(folder, "net_cpu_energy"))
        let (memories, platforms) = (try values(folder, "dram_energy"), try values(folder, "psys_energy"))
        for trial in trials {
            let number = trial.number
            let (energy, power) = (try #require(energies[number]), try #require(powers[number]))
            let (net, memory) = (try #require(nets[number]), try #require(memories[number]))
            let platform = try #require(platforms[number])
            let (begin, end) = (try #require(trial.measureBegin), try #require(trial.measureEnd))
            let span = Double(end.sinceOrigin - begin.sinceOrigin) / 1e9
            // Counters move each millisecond, and a busy machine may be a while between a clock and a counter.
            #expect(abs(power / Self.packages - 1) < 0.02, "\(power) W")
            // Watched from outside the suite, some twenty times a second and at each word from it.
            let window = energy / Self.packages
            #expect(window > span - 0.002 && window < span + 0.25, "\(window) s of energy, \(span) s of tasks")
            #expect(abs(net) < 0.02 * energy, "\(net) J of \(energy) J")
            #expect(abs(memory / window / Self.memory - 1) < 0.02, "\(memory) J in \(window) s")
            #expect(abs(platform / window / Self.platform - 1) < 0.02, "\(platform) J in \(window) s")
            if isShown {
                func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
                print(
                    "figure: \(text(energy)) J in \(text(span)) s of tasks, \(text(power)) W (known are 65 + 40); net of rest "
                        + "\(text(net)) J, memory \(text(memory)) J (7 W), platform \(text(platform)) J (180 W)")
            }
        }
        // Cores lie within their package: shown and not added; on processors of AMD the register is no total, and is not shown.
        // 360 Wh at the 180 W of the whole device: 2 hours, and level 10 of 20.
        for (metric, expected) in [("battery_hours", 2.0), ("energy_level", 10.0)] {
            let values = try values(folder, metric).values
            #expect(values.count == 6 && values.allSatisfy { abs($0 / expected - 1) < 0.02 }, "\(metric): \(values)")
        }
        let cores = try rows(folder, "core_energy").map(\.sample.reading)
        #expect(cores.count == 6 && Set(cores.map(\.status)).isSubset(of: [.measured, .unsupported]))
        let run = try latest.readRun()
        #expect(run.summaries.count == 2)
        for summary in run.summaries {
            for metric in ["cpu_energy", "net_cpu_energy", "dram_energy", "psys_energy"] {
                let cost = try #require(summary.costs?.first { $0.metric == metric }, "\(metric)")
                #expect(cost.per == .task && cost.estimate != nil && cost.gaps.isEmpty)
            }
            let perTask = try #require(summary.costs?.first { $0.metric == "cpu_energy" }?.estimate?.median)
            let all = trials.filter { $0.benchmark == summary.benchmark }.compactMap { energies[$0.number] }.sorted()
            let tasks = try #require(run.benchmarks.first { $0.id == summary.benchmark }).tasks
            #expect(abs(perTask * Double(tasks) / all[1] - 1) < 1e-9)
        }
        let page = try String(contentsOfFile: latest.reportFile, encoding: .utf8)
        #expect(page.contains("Time against energy"))
    }

    @Test("is denied to a user who may not read the counters, with who can grant it and how")
    func denied() throws {
        let folder = TemporaryFolder()
        let output = try run(
            folder, asNobody: true, "--axis", "strategy=pool-8", "--trials", "1", "--idle", "1", "--no-report")
        try #require(output.status == .exited(0), "\(output.text)\(output.errors)")
        let rows = try rows(folder, "cpu_energy")
        #expect(rows.count == 1)
        for row in rows {
            #expect(row.sample.reading.status == .denied && row.sample.value == nil)
            #expect(row.sample.reading.reason?.contains("/sys/class/powercap/*/energy_uj") == true)
            #expect(row.sample.reading.remedy?.contains("/etc/udev/rules.d/60-energy.rules") == true)
        }
        #expect(try values(folder, "cpu_power").isEmpty)
    }

    @Test("is not counted from when a package vanishes, and never that of the other one alone")
    func vanishes() throws {
        let folder = TemporaryFolder()
        // Read once or a few times when it is found, and at both ends of each trial: it vanishes within the second to fifth.
        let output = try run(
            folder, readsOfOne: 8, "--axis", "strategy=pool-8", "--trials", "7", "--idle", "0", "--no-report")
        try #require(output.status == .exited(0), "\(output.text)\(output.errors)")
        let rows = try rows(folder, "cpu_energy").sorted { $0.trial < $1.trial }
        #expect(rows.count == 7)
        let measured = rows.prefix { $0.sample.reading.status == .measured }
        let lost = rows.dropFirst(measured.count)
        #expect(!measured.isEmpty && lost.count >= 2)
        #expect(lost.allSatisfy { $0.sample.reading.status == .notCounted && $0.sample.value == nil })
        #expect(lost.allSatisfy { $0.sample.reading.reason?.contains("package-1 could not be read") == true })
        for power in try values(folder, "cpu_power").values { #expect(abs(power / Self.packages - 1) < 0.1) }
        // Beyond rest there is no more than that, and no other reason, though this run was not measured at rest either.
        let nets = try self.rows(folder, "net_cpu_energy").filter { row in lost.contains { $0.trial == row.trial } }
        #expect(nets.count == lost.count)
        #expect(nets.allSatisfy { $0.sample.reading.reason?.contains("package-1 could not be read") == true })
        // What stands apart goes on.
        #expect(try values(folder, "psys_energy").count == 7)
    }
}
