extension CounterEvent {
    /// The event of a name: one of the list below, a preset of PAPI (`PAPI_L1_DCM`, `L1_DCM`), or a native event as
    /// `papi_native_avail` tells it (`perf::BRANCH-LOADS`, `amd64_fam19h_zen3::RETIRED_OPS`).
    package init(_ text: String) throws(CounterNameError) {
        if let event = Self.named(text) {
            self = event
        } else if text.contains("::") {
            self = try Self.native(text)
        } else if !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }) {
            let bare = text.hasPrefix("PAPI_") ? String(text.dropFirst(5)) : text
            // PAPI also finds native events without the name of their unit.
            self.init(
                name: "PAPI_" + bare, fileName: "papi_" + Self.safe(bare), papiNames: ["PAPI_" + bare, text],
                domain: .user)
        } else {
            throw CounterNameError(
                name: text,
                problem: "no such event; known are \(Self.known.map(\.name).joined(separator: ", ")), "
                    + "PAPI's presets such as PAPI_L1_DCM, and native events such as perf::BRANCH-LOADS")
        }
    }

    /// The events of a list of names, each once.
    package static func list(_ names: [String]) throws(CounterNameError) -> [CounterEvent] {
        var events: [CounterEvent] = []
        for name in names {
            let event = try CounterEvent(name)
            guard !events.contains(event) else { continue }
            if let twin = events.first(where: { $0.metricName == event.metricName }) {
                throw CounterNameError(
                    name: name, problem: "files cannot tell it from “\(twin)”: both are \(event.metricName) there")
            }
            events.append(event)
        }
        return events
    }

    /// Every event that has a plain name, by that name.
    package static let known: [CounterEvent] = [
        processor("instructions", 1, preset: "TOT_INS"),
        processor("cycles", 0, preset: "TOT_CYC", "CPU-CYCLES"),
        processor("ref-cycles", 9, preset: "REF_CYC", "REF-CYCLES"),
        processor("branches", 4, preset: "BR_INS", "BRANCH-INSTRUCTIONS"),
        processor("branch-misses", 5, preset: "BR_MSP"),
        processor("cache-references", 2),
        processor("cache-misses", 3),
        cache("l1d-load-misses", 0, "L1-DCACHE-LOAD-MISSES"),
        cache("llc-load-misses", 2, "LLC-LOAD-MISSES"),
        cache("dtlb-load-misses", 3, "DTLB-LOAD-MISSES"),
        kernel("page-faults", 2, "FAULTS"),
        kernel("minor-faults", 5),
        kernel("major-faults", 6),
        kernel("context-switches", 3, "CS", happensInKernel: true),
        kernel("cpu-migrations", 4, "MIGRATIONS", happensInKernel: true),
        kernel("cgroup-switches", 11, happensInKernel: true),
        kernel("task-clock", 1, isClock: true),
        kernel("cpu-clock", 0, isClock: true),
    ]

    // Numbers as in linux/perf_event.h: enum perf_hw_id, perf_hw_cache_id and perf_sw_ids.

    private static func processor(
        _ name: String, _ config: UInt64, preset: String? = nil, _ others: String...
    ) -> CounterEvent {
        CounterEvent(
            name: name, fileName: safe(name), perf: PerfEncoding(type: 0, config: config),
            papiNames: (preset.map { ["PAPI_" + $0] } ?? []) + ([name.uppercased()] + others).map { "perf::" + $0 },
            domain: .user)
    }

    /// Loads that missed a cache (operation 0 is to read, result 1 is a miss).
    private static func cache(_ name: String, _ id: UInt64, _ papi: String) -> CounterEvent {
        CounterEvent(
            name: name, fileName: safe(name), perf: PerfEncoding(type: 3, config: id | 0 << 8 | 1 << 16),
            papiNames: ["perf::" + papi], domain: .user)
    }

    private static func kernel(
        _ name: String, _ config: UInt64, _ others: String..., happensInKernel: Bool = false, isClock: Bool = false
    ) -> CounterEvent {
        CounterEvent(
            name: name, fileName: safe(name), isSoftware: true, happensInKernel: happensInKernel, isClock: isClock,
            perf: PerfEncoding(type: 1, config: config),
            papiNames: ([name.uppercased()] + others).map { "perf::" + $0 },
            // A clock counts the same in every domain, and in this one everybody may open it.
            domain: isClock ? .user : .userAndKernel)
    }

    private static func named(_ text: String) -> CounterEvent? {
        let asked = text.uppercased()
        return known.first { event in
            event.name.uppercased() == asked
                || event.papiNames.contains {
                    let name = $0.uppercased()
                    return name == asked || name == "PAPI_" + asked
                        || (event.isSoftware && name + ":U=1:K=1" == asked)
                        || name.replacing("PERF::", with: "PERF::PERF_COUNT_\(event.isSoftware ? "SW" : "HW")_")
                            .replacing("-", with: "_") == asked
                }
        }
    }

    private static func native(_ text: String) throws(CounterNameError) -> CounterEvent {
        // The unit's name, the event's, and then modifiers, each after a colon of its own.
        let rest = text.split(separator: ":", omittingEmptySubsequences: true).dropFirst(2)
        for modifier in rest.map({ $0.lowercased() }) {
            if modifier == "u" || modifier == "k" {
                throw CounterNameError(
                    name: text,
                    problem: "PAPI takes “:\(modifier)” and does not heed it; write “:\(modifier)=1”")
            }
            if modifier.hasPrefix("cpu=") {
                throw CounterNameError(
                    name: text, problem: "“:\(modifier)” counts a processor with all that runs there, not this program")
            }
        }
        let base = String(text.prefix { $0 != ":" }) + "::" + text.split(separator: ":").dropFirst().prefix(1).joined()
        if let event = named(base), event.isSoftware {
            throw CounterNameError(
                name: text, problem: "software events are counted with the kernel; write “\(event.name)”")
        }
        return CounterEvent(name: text, fileName: safe(text), papiNames: [text], domain: .user)
    }

    /// Lower-case letters and digits, with an underscore for each stretch of anything else.
    private static func safe(_ text: String) -> String {
        text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
    }
}
