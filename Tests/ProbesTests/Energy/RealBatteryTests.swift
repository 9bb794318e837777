import FoundationEssentials
import Glibc
import Testing

/// What programs of the product said in an emulated laptop: `make test-hardware` names it.
private let consoleOfBatteries = getenv("TASKMETER_REAL_BATTERIES").map { String(cString: $0) }

/// Batteries that the kernel's own drivers show, of a firmware whose powers are known (Tests/Hardware/Batteries/batteries.asl).
@Suite(
    "Batteries of an emulated laptop",
    .enabled(if: consoleOfBatteries != nil, "TASKMETER_REAL_BATTERIES names no console: make test-hardware makes it"))
struct RealBatteryTests {
    /// The lines of each part, each cut at its tabs.
    private var sections: [String: [[String]]] = [:]
    /// 36,000 mW in steps of 1 mWh, and 6,000 mA of 11,400 mV in steps of 1 mAh.
    private static let (power, steps) = (36.0 + 68.4, 3.6 + 41.04)

    init() throws {
        let text = try String(contentsOfFile: consoleOfBatteries ?? "", encoding: .utf8)
        var title = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("== ") { title = line.hasPrefix("== exit") ? title : String(line.dropFirst(3)) }
            sections[title, default: []].append(
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
        }
        try #require(sections["end"] != nil, "the laptop did not come to its end: \(text.suffix(500))")
    }

    private func lines(_ section: String, _ first: String) throws -> [[String]] {
        try #require(sections[section]).filter { $0[0].hasPrefix(first) }
    }

    private func say(_ joules: Double, _ seconds: Double, _ place: String = "") {
        func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        let known = text(Self.power * seconds)
        print("figure: \(place)\(text(joules)) J in \(text(seconds)) s; the firmware took \(known) J, in steps of 45 J")
    }

    @Test("two at once, one told in mWh and one in mAh, take what the firmware says, to a step of each")
    func joules() throws {
        // BAT2 knows nothing of itself: no power to read, and none in its uevent.
        let supplies = try #require(sections["supplies"]).map { $0[0] }
        #expect(supplies.contains("/sys/class/power_supply/BAT2/power_now: No such device"))
        #expect(supplies.contains("POWER_SUPPLY_STATUS=Not charging") && supplies.contains("POWER_SUPPLY_ONLINE=0"))
        let windows = try lines("on batteries", "battery ")
        #expect(windows.count == 2)
        for window in windows {
            try #require(window.count > 3 && window[2] == "measured", "\(window)")
            let (seconds, joules) = (try #require(Double(window[1])), try #require(Double(window[3])))
            // And the time that the firmware takes to answer, in an emulated machine.
            let tolerance = Self.steps + Self.power * 0.1
            #expect(abs(joules - Self.power * seconds) <= tolerance, "\(joules) J in \(seconds) s")
            say(joules, seconds)
        }
        // What all hold is not known where one does not tell.
        #expect(try lines("on batteries", "capacity").first?[1] == "unsupported")
        #expect(
            try #require(sections["doctor"]).contains { line in
                ["BAT0: discharging", "BAT1: discharging", "BAT2: not charging"].allSatisfy(line[0].contains)
            })
    }

    @Test("a whole run tells the energy of the whole device, the hours of its battery, and no energy of processors")
    func run() throws {
        func fields(_ line: [String]) -> [String] {
            // The benchmark's identity holds commas.
            line[0].replacing(/"[^"]*"/, with: "benchmark").split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
        }
        let header = fields(try #require(lines("whole run", "benchmark,").first))
        let rows = try lines("whole run", "\"Laboratory/exhaustion").map { line in
            Dictionary(zip(header, fields(line))) { first, _ in first }
        }
        func field(_ metric: String, _ name: String) throws -> String? {
            try #require(rows.first { $0["metric"] == metric }, "\(metric)")[name]
        }
        for metric in ["cpu_energy", "cpu_power", "net_cpu_energy"] {
            #expect(try field(metric, "status") == "unsupported" && field(metric, "value") == "", "\(metric)")
        }
        #expect(try field("battery_energy", "status") == "measured")
        let joules = try #require(field("battery_energy", "value").flatMap { Double($0) })
        // By the run's own clock. The device is watched from outside the suite, some twenty times a second.
        let trial = fields(try #require(lines("trials", "0,\"Laboratory/exhaustion").first))
        let moments = trial.dropFirst(6).prefix(2).compactMap { Double($0) }
        try #require(moments.count == 2, "\(trial)")
        let seconds = (moments[1] - moments[0]) / 1e9
        #expect(joules > Self.power * (seconds - 0.1) - Self.steps, "\(joules) J in \(seconds) s")
        #expect(joules < Self.power * (seconds + 0.6) + Self.steps, "\(joules) J in \(seconds) s")
        say(joules, seconds, "in a run of tasks, ")
        // 500 Wh at that power, and the level that older logs told: 20 by the hours.
        let hours = try #require(field("battery_hours", "value").flatMap { Double($0) })
        let level = try #require(field("energy_level", "value").flatMap { Double($0) })
        #expect(abs(hours * level / 20 - 1) < 1e-9)
        #expect(abs(500 / hours / Self.power - 1) < 0.15, "\(hours) h")
    }

    @Test("with a charger nothing is counted, nor while one is emptied that does not tell how fast")
    func obstacles() throws {
        let charged = try #require(lines("with a charger", "battery ").first)
        #expect(charged[2] == "not-counted" && charged[3].contains("a charger is connected (ADP0 is online)"))
        let unknown = try #require(lines("one of unknown rate", "battery ").first)
        #expect(unknown[2] == "not-counted" && unknown[3].contains("BAT2 tells neither its energy"))
        print("figure: with a charger: \(charged[3]); of unknown rate: \(unknown[3])")
    }
}
