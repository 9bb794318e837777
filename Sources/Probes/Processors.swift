import CLinux
import Results

/// The processor's name, from the text of `/proc/cpuinfo`.
///
/// x86 states a model name. ARM states numbers of an implementer and a part instead, and a board's name at times;
/// POWER and RISC-V have words of their own. Where there are several kinds of cores, all are named.
package func processorModel(cpuinfo: String) -> Fact {
    for key in ["model name", "Processor", "cpu", "cpu model", "uarch"] {
        let models = distinct(values(of: key, in: cpuinfo)).filter { !$0.isEmpty }
        if !models.isEmpty { return .known(models.joined(separator: " and ")) }
    }
    let implementers = values(of: "CPU implementer", in: cpuinfo)
    let parts = values(of: "CPU part", in: cpuinfo)
    if !parts.isEmpty, implementers.count == parts.count {
        let cores = distinct(zip(implementers, parts).map { "implementer \($0), part \($1)" })
        let board = (values(of: "Model", in: cpuinfo) + values(of: "Hardware", in: cpuinfo)).first
        return .known("ARM " + cores.joined(separator: " and ") + (board.map { " (\($0))" } ?? ""))
    }
    return .unavailable(reason: "/proc/cpuinfo names no model")
}

/// Each of the texts once, in the order in which it first came.
func distinct(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
}

/// How many logical processors this process may run on; nil when the kernel does not say.
package func usableProcessors() -> Int? {
    let count = clinux_usable_processors()
    return count > 0 ? Int(count) : nil
}

/// How many numbers a list such as `0-3,8,10-11` has; nil when it is none.
package func countOfList(_ list: String) -> Int? { numbersOfList(list)?.count }

/// The numbers of a list such as `0-3,8,10-11`, in their order; nil when it is none, or of more than any machine has.
package func numbersOfList(_ list: String) -> [Int]? {
    var numbers: [Int] = []
    for range in list.split(separator: ",") {
        let ends = range.split(separator: "-").map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, last >= first,
            last - first < 1 << 20
        else { return nil }
        numbers += first...last
    }
    return numbers.isEmpty ? nil : numbers
}

/// What governs the frequency of the processors.
package func frequencyGovernor(_ files: KernelFiles) -> Fact {
    let folder = "/sys/devices/system/cpu/cpufreq"
    let governors = files.names(in: folder).filter { $0.hasPrefix("policy") }
        .compactMap { files.text("\(folder)/\($0)/scaling_governor").value }
    guard !governors.isEmpty else {
        return .unavailable(reason: "the kernel controls no frequency here, as is usual in a virtual machine")
    }
    let kinds = distinct(governors)
    if kinds.count == 1 { return .known(kinds[0]) }
    return .known(
        kinds.map { kind in "\(kind) (\(governors.count { $0 == kind }) of \(governors.count))" }
            .joined(separator: ", "))
}

/// Whether a core runs more than one thread at once, as far as this system sees its cores.
package func simultaneousMultithreading(_ files: KernelFiles) -> Fact {
    files.text("/sys/devices/system/cpu/smt/active").read { text in
        switch text {
        case "1": .known("on")
        case "0": .known("off")
        default: .unavailable(reason: "/sys/devices/system/cpu/smt/active is “\(text)”, neither 0 nor 1")
        }
    }
}
