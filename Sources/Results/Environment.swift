/// A fact of the machine: known, or unavailable with the reason.
public enum Fact: Hashable, Sendable, Codable, CustomStringConvertible {
    case known(String)
    case unavailable(reason: String)

    public var description: String {
        switch self {
        case .known(let text): text
        case .unavailable(let reason): "unavailable: \(reason)"
        }
    }

    public var value: String? {
        if case .known(let text) = self { text } else { nil }
    }

    private enum Key: String, CodingKey { case unavailable }

    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .known(text)
        } else {
            self = .unavailable(
                reason: try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .unavailable))
        }
    }

    /// A known fact is its text; an unavailable one is `{"unavailable": reason}`.
    public func encode(to encoder: any Encoder) throws {
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
public struct Environment: Hashable, Sendable, Codable {
    public var operatingSystem: Fact
    public var kernel: Fact
    public var architecture: Fact
    public var processor: Fact
    /// Logical processors that this process may run on.
    public var usableProcessors: Int
    public var memoryBytes: Fact
    public var clockSource: Fact
    /// Smallest step that the kernel states for the monotonic clock.
    public var clockResolution: Nanoseconds
    public var governor: Fact
    public var simultaneousMultithreading: Fact
    public var virtualMachine: Fact
    public var loadAtStart: Fact
    public var swiftVersion: Fact
    public var buildConfiguration: Fact
    /// Processor time that control groups allow, in processors; nil in runs of a taskmeter that did not ask.
    public var processorQuota: Fact?
    /// Files that a process may hold open; nil likewise.
    public var openFilesLimit: Fact?
    /// Threads that may exist, and what limits them; nil likewise.
    public var threadLimit: Fact?

    public init(
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
public struct Revision: Hashable, Sendable, Codable {
    /// The full commit hash.
    public var commit: Fact
    public var branch: Fact
    /// A hash of the difference to the commit; nil when the tree is clean.
    public var differenceHash: String?

    public init(commit: Fact, branch: Fact, differenceHash: String?) {
        self.commit = commit
        self.branch = branch
        self.differenceHash = differenceHash
    }

    /// Seven digits of the commit, with `-dirty` when the tree was not clean, or `norevision`.
    public var short: String {
        guard let commit = commit.value else { return "norevision" }
        return commit.prefix(7) + (differenceHash == nil ? "" : "-dirty")
    }
}
