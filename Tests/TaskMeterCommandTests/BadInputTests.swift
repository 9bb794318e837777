import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

@Suite("Bad input")
struct BadInputTests {
    @Test(
        "gets one sentence and exit code 2",
        arguments: [
            (["run", "--suite", "Nonsense"], "no suite Nonsense"),
            (["run", "--suite", "./nonsense"], "no file that can be executed"),
            (["run", "--suite", "/usr"], "no file that can be executed"),
            (["run", "--suite", "/bin/true"], "does not behave like a TaskMeter suite"),
            (["run", "--trial-count", "3"], "there is no option --trial-count"),
            (["run", "--trials", "0"], "--trials 0 leaves nothing to measure"),
            (["run", "--counters", "instrctions"], "no such event"),
            (["run", "--counters", "none,instructions"], "neither a list of events nor “none”"),
            (["run", "--battery", "0"], "must be a number of watt-hours above 0"),
            (["run", "--idle", "long"], "--idle is “long”"),
            (["run", "--trials", "many"], "--trials is “many”"),
            (["run", "--trials"], "needs an argument"),
            (["run", "--quick=yes"], "--quick takes no argument"),
            (["run", "--seed", "-4"], "--seed is “-4”"),
            (["run", "--time-limit", "0"], "--time-limit is “0”"),
            (["run", "--clock", "sundial"], "--clock “sundial” is none of auto, tsc, kernel"),
            (["run", "--max-time", "soon"], "--max-time is “soon”"),
            (["run", "--format", "xml"], "--format “xml” is not known"),
            (["run", "--axis", "strategy"], "not of the form NAME=VALUE"),
            (["run", "Requests"], "“Requests” is not an option"),
            (["run", "-x"], "there is no option -x"),
            (["list", "--format", "csv"], "not known to list"),
            (["report", "/nonexistent"], "is not a run folder"),
            (["report", "a", "b"], "one run folder at a time"),
            (["rum"], "did you mean `taskmeter run`?"),
        ])
    func isRefused(arguments: [String], sentence: String) throws {
        let output = try ChildProcess.run(Product.taskmeter, arguments)
        #expect(output.status == .exited(2))
        #expect(output.text.isEmpty)
        #expect(output.errors.contains(sentence), "\(output.errors)")
        #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
    }

    @Test(
        "in what is selected gets one sentence that lists what there is",
        arguments: [
            (["--axis", "strategy=pool-9"], "the axis has no such value; it has: pool-2, serial-queue"),
            (["--axis", "colour=red"], "no benchmark has that axis; there are: kind, strategy"),
            (["--filter", "("], "is no regular expression"),
            (["--filter", "Misbehaving/behave$"], "near names: Misbehaving/sampled-behaves"),
            (["--output", "/proc/nowhere"], "--output /proc/nowhere cannot be"),
            (["--output", "/etc/hostname"], "--output /etc/hostname cannot be made a folder: it is a file"),
        ])
    func isRefusedBySelection(arguments: [String], sentence: String) throws {
        let output = try ChildProcess.run(
            Product.taskmeter, ["run", "--suite", Product.misbehaving, "--quick"] + arguments)
        #expect(output.status == .exited(2))
        #expect(output.errors.contains(sentence), "\(output.errors)")
        #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
    }

    @Test("in a run folder is named with the file and the way out", arguments: ["truncated", "newer", "short"])
    func runFolderIsRefused(fault: String) throws {
        let folder = TemporaryFolder()
        let made = try Product.run(
            "run", "--suite", Product.misbehaving, "--filter", "/behaves", "--quick", "--output", folder.path,
            "--no-report", "--quiet")
        #expect(made.status == .exited(0), "\(made.errors)")
        var json = try String(contentsOfFile: folder.latest.runFile, encoding: .utf8)
        let expected: String
        switch fault {
        case "truncated":
            json = String(json.prefix(json.count / 2))
            expected = "run.json is truncated"
        case "newer":
            json = json.replacing("\"schema\" : 1", with: "\"schema\" : 2")
            expected = "newer than 1"
        default:
            #expect(truncate(folder.latest.tasksFile, 200) == 0)
            expected = "tasks.csv is truncated"
        }
        try json.write(toFile: folder.latest.runFile, atomically: true, encoding: .utf8)
        let output = try Product.run("report", folder.latest.path)
        #expect(output.status == .exited(2))
        #expect(output.errors.contains(expected), "\(output.errors)")
        #expect(output.errors.split(separator: "\n").count == 1)
    }
}
