extension Iteration {
    /// Where the iterations of a trial run.
    public struct Place: Sendable {
        enum Kind: Sendable {
            case thread
            case concurrentPool
            case executor(any TaskExecutor)
        }

        let kind: Kind

        /// A thread of its own, named “measuring”, on which nothing else runs.
        public static let thread = Place(kind: .thread)
        /// The pool of Swift's concurrency, as detached tasks run there.
        public static let concurrentPool = Place(kind: .concurrentPool)
        /// An executor of yours.
        public static func executor(_ executor: any TaskExecutor) -> Place { Place(kind: .executor(executor)) }
    }

    /// The main actor as a place: a type of its own, so that what runs there is checked when it is compiled.
    public struct MainActorPlace: Sendable {
        /// The main actor. The main thread does nothing else meanwhile but what is dispatched to its queue.
        public static let mainActor = MainActorPlace()
    }

    enum AnyPlace: Sendable {
        case any(Place)
        case mainActor
    }
}
