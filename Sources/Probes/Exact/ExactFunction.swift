import Glibc

/// A function whose calls an exact trial counts, by its name.
///
/// A call is an entry into the function by whomever: by the benchmark's own code, by the Swift runtime, by libraries. So what
/// a function hands on to another one counts in both: the Swift runtime's `swift_bridgeObjectRetain` jumps to
/// `swift_retain`, and `swift_allocObject` calls `malloc`. What the compiler or the runtime does in place, without a
/// call, counts nowhere.
package enum ExactFunction: String, Hashable, Sendable, CaseIterable {
    case swiftRetain = "swift_retain"
    /// Retains several times at once, and counts once.
    case swiftRetainSeveral = "swift_retain_n"
    case swiftBridgeObjectRetain = "swift_bridgeObjectRetain"
    case swiftRelease = "swift_release"
    /// Releases several times at once, and counts once.
    case swiftReleaseSeveral = "swift_release_n"
    case swiftBridgeObjectRelease = "swift_bridgeObjectRelease"
    case swiftAllocateObject = "swift_allocObject"
    case swiftDeallocateInstance = "swift_deallocClassInstance"
    case swiftUnownedRetain = "swift_unownedRetain"
    case swiftWeakLoad = "swift_weakLoadStrong"
    case swiftBeginAccess = "swift_beginAccess"
    case swiftDynamicCast = "swift_dynamicCast"
    case malloc
    case calloc
    case realloc
    case alignedAllocate = "aligned_alloc"
    case alignedAllocateForPOSIX = "posix_memalign"
    case free

    /// Where it lies in this process; nil when no library in it has a function of this name.
    var address: UInt? { dlsym(nil, rawValue).map { UInt(bitPattern: $0) } }
}
