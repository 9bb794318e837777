/// A part of the machine whose energy is counted, or could be. Its scope is the machine: everybody's work is in it.
package struct EnergyDomain: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A processor with its cores, caches and graphics; without memory.
        case package
        /// Memory. Its zone lies inside the package's folder, its energy does not lie in the package's.
        case dram
        /// The whole platform: it includes the packages and is never added to them.
        case psys
        /// A part of the package, never added to it.
        case core
        /// Another part of the package: graphics, on client processors.
        case uncore
        /// A graphics card.
        case gpu
        /// The whole device while it lives on its batteries.
        case battery
        /// What a sensor of a board measures, under the sensor's own name.
        case sensor
    }

    package var kind: Kind
    /// The number of the processor's package, where it belongs to one.
    package var socket: Int?
    /// The number of the die in its package, on processors that count for each.
    package var die: Int?
    /// What the kernel or the driver calls it, such as `package-0`, `dram of package-0` or `gpu-0`.
    package var label: String

    package init(_ kind: Kind, socket: Int? = nil, die: Int? = nil, label: String) {
        self.kind = kind
        self.socket = socket
        self.die = die
        self.label = label
    }

    /// Whether another one speaks of the same thing: two drivers may show one register.
    package func isSame(as other: EnergyDomain) -> Bool {
        kind == other.kind && socket == other.socket && die == other.die
            && (kind != .sensor && kind != .gpu || label == other.label)
    }

    /// The domain of a powercap zone, from its name and the name of the zone that it lies in.
    ///
    /// Zones are known by their name, never by their index: between two packages there may be a `psys`, and a machine may
    /// have a `package-15` and no other.
    package init?(zoneName name: String, parentName: String? = nil) {
        if let (socket, die) = Self.package(zoneName: name) {
            self.init(.package, socket: socket, die: die, label: name)
            return
        }
        guard let kind = [Kind.dram, .psys, .core, .uncore].first(where: { $0.rawValue == name }) else { return nil }
        guard kind != .psys else {
            self.init(.psys, label: name)
            return
        }
        let parent = parentName.flatMap(Self.package(zoneName:))
        self.init(
            kind, socket: parent?.socket, die: parent?.die, label: parentName.map { "\(name) of \($0)" } ?? name)
    }

    /// The numbers in `package-15` or `package-0-die-1`.
    static func package(zoneName name: String) -> (socket: Int, die: Int?)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "package", let socket = Int(parts[1]), socket >= 0 else { return nil }
        if parts.count == 2 { return (socket, nil) }
        guard parts.count == 4, parts[2] == "die", let die = Int(parts[3]), die >= 0 else { return nil }
        return (socket, die)
    }
}
