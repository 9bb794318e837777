import Glibc
import Results

/// Of everything that was found, what is counted: each part of the machine once.
package enum EnergySelection {
    /// The parts of processors, which more than one source may show. The others belong to one source each.
    static let shared: [EnergyDomain.Kind] = [.package, .dram, .psys, .core, .uncore]

    /// A kind is taken from one source as a whole, so that no sum mixes two of them: the first that can read all of its
    /// domains, else the first that can read some, else the first that knows why it cannot.
    package static func choose(_ findings: [EnergyFinding]) -> [FoundDomain] {
        var chosen: [FoundDomain] = []
        for kind in EnergyDomain.Kind.allCases {
            let candidates = findings.map { $0.domains.filter { $0.domain.kind == kind } }.filter { !$0.isEmpty }
            guard shared.contains(kind) else {
                chosen += candidates.flatMap { $0 }
                continue
            }
            let best =
                candidates.first { $0.allSatisfy(\.isOpen) } ?? candidates.first { $0.contains(where: \.isOpen) }
                ?? candidates.first
            chosen += best ?? []
        }
        return chosen
    }

    /// Without the dies that only mirror another die of their package: on some processors all dies show one register, and
    /// their sum is twice or four times what was taken.
    ///
    /// Two dies are one where their counts agree twice, to what the domain can take in a millisecond; dies with counters of
    /// their own have nothing in common since the machine was switched on.
    package static func withoutMirrors(
        _ domains: [FoundDomain], _ clock: () -> EnergyMoment = EnergyMoment.now
    ) -> [FoundDomain] {
        func count(_ domain: FoundDomain) -> UInt64? {
            guard domain.domain.die != nil, case .open(let reader, _, _) = domain.access,
                case .count(let count) = reader.read(at: clock())
            else { return nil }
            return count
        }
        guard domains.contains(where: { $0.domain.die != nil && $0.isOpen }) else { return domains }
        let first = domains.map(count)
        // Long enough for the counters to move on.
        usleep(5_000)
        let second = domains.map(count)
        var kept: [Int] = []
        for index in domains.indices {
            let domain = domains[index].domain
            let isMirror = kept.contains { other in
                let before = domains[other].domain
                guard before.kind == domain.kind, before.socket == domain.socket, before.die != domain.die,
                    case .open(_, .counter(let counter), _) = domains[index].access,
                    let a1 = first[other], let a2 = second[other], let b1 = first[index], let b2 = second[index]
                else { return false }
                return areMirrors([(a1, b1), (a2, b2)], counter)
            }
            if !isMirror { kept.append(index) }
        }
        return kept.map { domains[$0] }
    }

    /// Whether two counters are one, by what both showed at some moments.
    package static func areMirrors(_ pairs: [(UInt64, UInt64)], _ counter: WrappingCounter) -> Bool {
        let tolerance = (counter.highestPower * .milliseconds(1)).count / counter.unit.count + 2 * counter.quantum
        return pairs.allSatisfy { Double($0.0 > $0.1 ? $0.0 - $0.1 : $0.1 - $0.0) <= tolerance }
    }
}
