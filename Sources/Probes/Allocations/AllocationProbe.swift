import CLinux
import Glibc
import Results

/// Counts heap allocations, in a process into which `libTaskMeterAllocations.so` was preloaded.
///
/// Nothing links that library: in a process without it there is no probe, and nothing at all is paid. The functions are found
/// by name, and believed only after a known piece of work was counted right. Thread-safe.
package struct AllocationProbe: Sendable {
    private typealias Fill = @convention(c) (UnsafeMutablePointer<Int64>, Int32) -> Int32
    private typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?

    private let fillOfThread: Fill
    private let fillOfProcess: @convention(c) (UnsafeMutablePointer<Int64>, Int32) -> Void
    private let resetPeakFunction: @convention(c) () -> Void
    private let switchFunction: @convention(c) (Int32) -> Void
    /// Whether usable sizes are known, and with them live, peak and leaked bytes.
    package let knowsSizes: Bool

    /// The values in the order in which the library fills them in; those of a thread end before the live bytes.
    private static let names = [
        "mallocs", "callocs", "reallocations", "aligned", "frees", "failures", "requested_bytes", "usable_bytes",
        "freed_bytes", "live_bytes", "peak_live_bytes",
    ]
    private static let threadValues = 9
    private static let processValues = 11

    package init() throws(AllocationsNotCounted) {
        func function<Function>(_ name: String, _: Function.Type = Function.self) -> Function? {
            // A null handle is RTLD_DEFAULT, whose macro Swift does not see: all that the process has loaded.
            dlsym(nil, "taskmeter_allocations_" + name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let name = function("name", Name.self) else {
            throw AllocationsNotCounted(
                Sanitizer.present?.refusal
                    ?? .notCounted(reason: "\(AllocationLibrary.fileName) was not preloaded into this process"))
        }
        guard let ofThread = function("of_thread", Fill.self),
            let ofProcess = function("of_process", type(of: fillOfProcess)),
            let resetPeak = function("reset_peak", type(of: resetPeakFunction)),
            let switchOnOff = function("switch", type(of: switchFunction)),
            let sizes = function("knows_sizes", (@convention(c) () -> Int32).self),
            Self.names.indices.allSatisfy({ name(Int32($0)).map { String(cString: $0) } == Self.names[$0] })
        else {
            throw AllocationsNotCounted(
                .notCounted(
                    reason: "the preloaded \(AllocationLibrary.fileName) is of another version of TaskMeter:"
                        + " build it anew with \(AllocationLibrary.buildCommand)"))
        }
        fillOfThread = ofThread
        fillOfProcess = ofProcess
        resetPeakFunction = resetPeak
        switchFunction = switchOnOff
        knowsSizes = sizes() != 0
        try prove()
    }

    // hot path: no allocation, no lock, no call that can block
    /// What the calling thread has allocated since it began; nil at a thread's very end, where it has no counts any more.
    package func ofThread() -> AllocationCounts? {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: Self.threadValues) { values in
            guard fillOfThread(values.baseAddress!, Int32(Self.threadValues)) != 0 else { return nil }
            return AllocationCounts(values)
        }
    }

    // hot path: no allocation, no lock, no call that can block
    /// What all threads have allocated since the process began. Its time grows with the number of threads that there were at
    /// once.
    package func ofProcess() -> ProcessAllocations {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: Self.processValues) { values in
            fillOfProcess(values.baseAddress!, Int32(Self.processValues))
            var allocations = ProcessAllocations()
            allocations.counts = AllocationCounts(values)
            allocations.liveBytes = Int(values[9])
            allocations.peakLiveBytes = Int(values[10])
            return allocations
        }
    }

    // hot path: no allocation, no lock, no call that can block
    /// Sets the peak of live bytes back to what is live now.
    package func resetPeak() { resetPeakFunction() }

    /// Counts from now on, or no more; it is on when a process begins. What is allocated while it is off is missing in all
    /// counts, but for differences of readings between which it was on all the time.
    package func setCounting(_ isOn: Bool) { switchFunction(isOn ? 1 : 0) }

    // MARK: - Its proof

    /// Counts one call of each kind, and then nothing at all.
    private func prove() throws(AllocationsNotCounted) {
        guard let before = ofThread() else {
            throw AllocationsNotCounted(.notCounted(reason: "the thread that asks is at its end"))
        }
        let grown = seen(realloc(seen(malloc(100)), 5000))
        let cleared = seen(calloc(10, 7))
        let aligned = seen(aligned_alloc(64, 640))
        free(grown)
        free(cleared)
        free(aligned)
        guard let between = ofThread(), let after = ofThread() else { return }

        var known = AllocationCounts()
        (known.mallocs, known.callocs, known.reallocations, known.aligned, known.frees) = (1, 1, 1, 1, 3)
        known.requestedBytes = 100 + 5000 + 70 + 640
        var counted = between - before
        (counted.usableBytes, counted.freedBytes) = (0, 0)
        guard counted != AllocationCounts() else {
            throw AllocationsNotCounted(
                Sanitizer.present?.refusal
                    ?? .unsupported(
                        reason:
                            "the program has an allocator of its own, which is called in place of the one that is counted"
                    ))
        }
        guard counted == known, after == between else {
            throw AllocationsNotCounted(
                .unsupported(
                    reason:
                        "a known piece of work was not counted right, perhaps because of another preloaded library: "
                        + "\(counted) in place of \(known)"))
        }
    }

    /// The same block, of which the optimiser must take it that it is used: calls without an effect would be left out.
    private func seen(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        var block = block
        withUnsafeMutablePointer(to: &block) { clinux_touch($0) }
        return block
    }
}

extension AllocationCounts {
    fileprivate init(_ values: UnsafeMutableBufferPointer<Int64>) {
        mallocs = Int(values[0])
        callocs = Int(values[1])
        reallocations = Int(values[2])
        aligned = Int(values[3])
        frees = Int(values[4])
        failures = Int(values[5])
        requestedBytes = Int(values[6])
        usableBytes = Int(values[7])
        freedBytes = Int(values[8])
    }
}
