import CCounters
import Glibc

/// Open counters of the kernel, in the groups that it reads at once: one, or one for each kind of core and one for
/// software events on a processor with several kinds.
///
/// Sendable: its descriptors do not change, and the kernel lets any thread read them. Closed when it is released.
final class PerfGroups: Sendable {
    private struct Group {
        var leader: Int32
        var offset: Int
        var wordCount: Int32
    }

    let layout: CounterLayout
    private let groups: [Group]
    private let descriptors: [Int32]

    /// Opens and starts counters for the calling thread.
    ///
    /// - Parameters:
    ///   - flags: `CCOUNTERS_INHERIT_THREADS` and the like, beside the domain, which each event names.
    ///   - separately: whether each event gets a group of its own, which kernels before 4.13 want of inherited ones.
    init(_ events: [CounterEvent], units: [CoreUnit], flags: Int = 0, separately: Bool = false) throws(CounterRefusal) {
        var descriptors: [Int32] = []
        var groups: [Group] = []
        var places: [[CounterLayout.Place]] = events.map { _ in [] }
        var refusal: CounterRefusal?

        func open(_ members: [(index: Int, encoding: PerfEncoding)]) {
            let offset = groups.last.map { $0.offset + Int($0.wordCount) } ?? 0
            let head = Int(CCOUNTERS_HEAD)
            var leader: Int32 = -1
            for (number, member) in members.enumerated() where refusal == nil {
                let event = events[member.index]
                let domain = event.domain == .user ? Int(CCOUNTERS_USER_ONLY) : 0
                let descriptor = ccounters_open(
                    member.encoding.type, member.encoding.config, leader, UInt32(domain | flags))
                guard descriptor >= 0 else {
                    refusal = CounterRefusal(event, .system(-descriptor))
                    return
                }
                descriptors.append(descriptor)
                if number == 0 { leader = descriptor }
                places[member.index].append(
                    CounterLayout.Place(value: offset + head + number, enabled: offset + 1, running: offset + 2))
            }
            if refusal == nil, leader >= 0 {
                groups.append(Group(leader: leader, offset: offset, wordCount: Int32(head + members.count)))
            }
        }

        for (index, event) in events.enumerated() where event.perf == nil {
            throw CounterRefusal(events[index], .noEncoding)
        }
        let all = events.indices.map { (index: $0, encoding: events[$0].perf!) }
        if separately {
            for member in all {
                let isOfCores = member.encoding.isOfProcessor && !units.isEmpty
                for encoding in isOfCores ? units.map({ $0.encoding(member.encoding) }) : [member.encoding] {
                    open([(member.index, encoding)])
                }
            }
        } else if units.isEmpty {
            if !all.isEmpty { open(all) }
        } else {
            // A group counts only on the cores of its unit: what is no core's event must stay out of it.
            for unit in units {
                let members = all.filter(\.encoding.isOfProcessor).map { ($0.index, unit.encoding($0.encoding)) }
                if !members.isEmpty { open(members) }
            }
            let others = all.filter { !$0.encoding.isOfProcessor }
            if !others.isEmpty { open(others) }
        }
        for group in groups where refusal == nil {
            let failure = ccounters_start(group.leader)
            if failure != 0 { refusal = CounterRefusal(events.first, .system(failure)) }
        }
        self.groups = groups
        self.descriptors = descriptors
        layout = CounterLayout(
            events: events, places: places, wordCount: groups.last.map { $0.offset + Int($0.wordCount) } ?? 0)
        if let refusal {
            // No deinit runs for what was never made.
            for descriptor in descriptors { close(descriptor) }
            throw refusal
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    // hot path: no allocation, no lock, no call that can block
    func read(into words: UnsafeMutableBufferPointer<UInt64>) -> CounterFault? {
        for group in groups {
            let failure = ccounters_read(group.leader, words.baseAddress! + group.offset, group.wordCount)
            if failure != 0 { return .system(failure) }
        }
        return nil
    }
}
