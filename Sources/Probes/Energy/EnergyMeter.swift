import Results
import Threading

/// The energy meter of a machine: keeps each chosen domain open, reads them from a thread of its own often enough that no
/// counter goes round unseen, and tells what each took in a window.
///
/// Thread-safe. Any number of windows may be open at once. Where there is nothing to count it has no thread and no open file.
package final class EnergyMeter: Sendable {
    private let shared: Monitor<State>
    private let clock: @Sendable () -> EnergyMoment
    private let absences: [EnergyDomain.Kind: Reading]
    /// What is counted, and what was found but cannot be counted.
    package let domains: [EnergyDomain]
    /// Whether others share the machine, as far as it shows: a virtual machine, or a container.
    package let isShared: Bool

    private struct State {
        var tracks: [DomainTrack]
        var uncounted: [DomainEnergy]
        var isStopped = false
        var isThreadRunning = false
        var samples = 0

        /// How long the thread may sleep from a moment on; nil when there is nothing to read.
        func pause(at now: EnergyMoment) -> Nanoseconds? {
            var shortest: Nanoseconds?
            for track in tracks {
                let pause = track.samplingInterval - track.age(at: now)
                shortest = min(shortest ?? pause, pause)
            }
            return shortest
        }

        /// What is due within a quarter of its interval is read at the same time: one wake-up instead of two.
        mutating func sampleWhatIsDue(_ clock: () -> EnergyMoment) {
            let now = clock()
            var isRead = false
            for index in tracks.indices {
                let interval = tracks[index].samplingInterval
                if tracks[index].age(at: now).count >= interval.count / 4 * 3 || !tracks[index].isCounting {
                    _ = tracks[index].sample(clock)
                    isRead = true
                }
            }
            if isRead { samples += 1 }
        }
    }

    /// - Parameter inBackground: whether a thread reads the domains between windows.
    package init(
        _ findings: [EnergyFinding], isShared: Bool, inBackground: Bool = true,
        clock: @escaping @Sendable () -> EnergyMoment = { EnergyMoment.now() }
    ) {
        let chosen = EnergySelection.withoutMirrors(EnergySelection.choose(findings), clock)
        // What may be read for a short time only comes first at a window's end, and last at its begin.
        let tracks = chosen.compactMap(DomainTrack.init).sorted { $0.limits.trusted < $1.limits.trusted }
        let uncounted = chosen.filter { !$0.isOpen }.map {
            DomainEnergy(domain: $0.domain, source: $0.source, energy: $0.absence!, lasted: .zero)
        }
        domains = tracks.map(\.domain)
        absences = Self.absences(findings)
        self.isShared = isShared
        self.clock = clock
        shared = Monitor(State(tracks: tracks, uncounted: uncounted))
        guard !tracks.isEmpty else { return }
        sample()
        if inBackground { startSampling() }
    }

    /// The meter of a machine.
    package convenience init(_ files: KernelFiles = KernelFiles()) {
        let enclosure = Enclosure(files)
        self.init(
            energySources(files).map { $0.find() },
            isShared: enclosure.virtualMachine != nil || enclosure.container != nil)
    }

    deinit { stop() }

    /// Ends the thread and closes all files. Windows that are still open have no reading.
    package func stop() {
        shared.withLock { $0.isStopped = true }
        shared.wakeAll()
        shared.wait { (state: inout State) -> Void? in
            guard !state.isThreadRunning else { return nil }
            state.tracks.removeAll()
            return ()
        }
    }

    /// How often the domains were read, all or some of them.
    package var samples: Int { shared.withLock { $0.samples } }

    /// Reads every domain now.
    package func sample() {
        shared.withLock { state in
            for index in state.tracks.indices { _ = state.tracks[index].sample(clock) }
            state.samples += 1
        }
    }

    /// Begins a window. The domains that may be measured for the shortest time are read last, next to what is measured.
    package func begin() -> EnergyWindow {
        shared.withLock { state in
            var starts: [EnergyWindow.Start] = []
            for index in state.tracks.indices.reversed() {
                let moment = state.tracks[index].sample(clock)
                starts.append(
                    EnergyWindow.Start(
                        moment: moment, total: state.tracks[index].total, isCounting: state.tracks[index].isCounting))
            }
            state.samples += 1
            return EnergyWindow(starts: starts.reversed())
        }
    }

    /// Ends a window, and tells what each domain took in it.
    package func end(_ window: EnergyWindow) -> EnergyUse {
        shared.withLock { state in
            var readings: [DomainEnergy] = []
            if state.isStopped {
                readings = domains.map {
                    DomainEnergy(
                        domain: $0, source: "", energy: .notCounted(reason: "the energy meter was stopped"),
                        lasted: .zero)
                }
            }
            for index in state.tracks.indices where !state.isStopped {
                let moment = state.tracks[index].sample(clock)
                readings.append(state.tracks[index].energy(since: window.starts[index], at: moment))
            }
            state.samples += 1
            return EnergyUse(domains: readings + state.uncounted, absences: absences, isShared: isShared)
        }
    }

    private func startSampling() {
        shared.withLock { $0.isThreadRunning = true }
        let refusal = startThread(named: "energy") { [shared, clock] in
            while Self.sampleWhatIsDue(shared, clock) {}
            shared.withLock { $0.isThreadRunning = false }
            shared.wakeAll()
        }
        // Without the thread long gaps are told as what they are.
        if refusal != 0 { shared.withLock { $0.isThreadRunning = false } }
    }

    /// Sleeps until a domain is due, and reads it; false when the meter was stopped.
    private static func sampleWhatIsDue(_ shared: Monitor<State>, _ clock: () -> EnergyMoment) -> Bool {
        let now = clock()
        guard let pause = shared.withLock({ $0.pause(at: now) }) else { return false }
        if shared.wait(within: max(pause, .milliseconds(1)), until: { $0.isStopped }) { return false }
        return shared.withLock { state in
            state.sampleWhatIsDue(clock)
            return !state.isStopped
        }
    }

    /// Why kinds of domains have no reading: where somebody can grant it, that comes before what nobody can.
    private static func absences(_ findings: [EnergyFinding]) -> [EnergyDomain.Kind: Reading] {
        func absence(_ sources: [String]) -> Reading? {
            let all = findings.filter { sources.contains($0.source) }.compactMap(\.state.absence)
            return all.first(where: \.isDenied) ?? all.first
        }
        let processors = ["powercap", "perf power PMU"]
        let isEverySourceAbsent = findings.allSatisfy { !processors.contains($0.source) || $0.state.absence != nil }
        var absences: [EnergyDomain.Kind: Reading] = [:]
        if isEverySourceAbsent { for kind in EnergySelection.shared { absences[kind] = absence(processors) } }
        absences[.gpu] = absence(["NVML"])
        absences[.battery] = absence(["battery"])
        absences[.sensor] = absence(["hwmon"])
        return absences
    }
}
