/// A fact of the machine: known, or unavailable with the reason.
package enum Fact: Hashable, Sendable, Codable, CustomStringConvertible {
    case known(String)
    case unavailable(reason: String)

    package var description: String {
        switch self {
        case .known(let text): text
        case .unavailable(let reason): "unavailable: \(reason)"
        }
    }

    package var value: String? {
        if case .known(let text) = self { text } else { nil }
    }

    package var reason: String? {
        if case .unavailable(let reason) = self { reason } else { nil }
    }

    private enum Key: String, CodingKey { case unavailable }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .known(text)
        } else {
            self = .unavailable(
                reason: try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .unavailable))
        }
    }

    /// A known fact is its text; an unavailable one is `{"unavailable": reason}`.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .known(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .unavailable(let reason):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(reason, forKey: .unavailable)
        }
    }
}

/// What a run was made on. Facts that identify the machine are stable ones: never a host name, never a measured frequency.
package struct Environment: Hashable, Sendable, Codable {
    package var operatingSystem: Fact
    package var kernel: Fact
    package var architecture: Fact
    package var processor: Fact
    /// Logical processors that this process may run on.
    package var usableProcessors: Int
    package var memoryBytes: Fact
    package var clockSource: Fact
    /// Smallest step that the kernel states for the monotonic clock.
    package var clockResolution: Nanoseconds
    package var governor: Fact
    package var simultaneousMultithreading: Fact
    package var virtualMachine: Fact
    package var loadAtStart: Fact
    package var swiftVersion: Fact
    package var buildConfiguration: Fact
    /// Processor time that control groups allow, in processors; nil in runs of a taskmeter that did not ask.
    package var processorQuota: Fact?
    /// Files that a process may hold open; nil likewise.
    package var openFilesLimit: Fact?
    /// Threads that may exist, and what limits them; nil likewise.
    package var threadLimit: Fact?

    package init(
        operatingSystem: Fact, kernel: Fact, architecture: Fact, processor: Fact, usableProcessors: Int,
        memoryBytes: Fact, clockSource: Fact, clockResolution: Nanoseconds, governor: Fact,
        simultaneousMultithreading: Fact, virtualMachine: Fact, loadAtStart: Fact, swiftVersion: Fact,
        buildConfiguration: Fact
    ) {
        self.operatingSystem = operatingSystem
        self.kernel = kernel
        self.architecture = architecture
        self.processor = processor
        self.usableProcessors = usableProcessors
        self.memoryBytes = memoryBytes
        self.clockSource = clockSource
        self.clockResolution = clockResolution
        self.governor = governor
        self.simultaneousMultithreading = simultaneousMultithreading
        self.virtualMachine = virtualMachine
        self.loadAtStart = loadAtStart
        self.swiftVersion = swiftVersion
        self.buildConfiguration = buildConfiguration
    }
}

/// The commit that was measured.
package struct Revision: Hashable, Sendable, Codable {
    /// The full commit hash.
    package var commit: Fact
    package var branch: Fact
    /// A hash of the difference to the commit; nil when the tree is clean.
    package var differenceHash: String?

    package init(commit: Fact, branch: Fact, differenceHash: String?) {
        self.commit = commit
        self.branch = branch
        self.differenceHash = differenceHash
    }

    /// Seven digits of the commit, with `-dirty` when the tree was not clean, or `norevision`.
    package var short: String {
        guard let commit = commit.value else { return "norevision" }
        return commit.prefix(7) + (differenceHash == nil ? "" : "-dirty")
    }
}
