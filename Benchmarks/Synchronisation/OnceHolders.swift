import Apparatus
import Dispatch
import Glibc
import Synchronization

/// What is initialised once: it takes some microseconds to make, and how many were made is counted.
package final class Settings: Sendable {
    static let made = Atomic<Int>(0)

    /// Swift's own way: `swift_once` behind a check, without a word of the author's about threads.
    package static let shared = Settings()

    let limit: UInt64

    init() {
        limit = Spinning(steps: 15_000).run()
        Self.made.add(1, ordering: .relaxed)
    }
}

/// Gives a value that is made when it is first asked for, by whichever thread.
package protocol OnceHolder: Sendable {
    func value() -> Settings
}

/// Correct, and short: each access locks.
package final class LazyUnderMutex: OnceHolder {
    private let settings = Mutex<Settings?>(nil)

    package init() {}

    package func value() -> Settings {
        settings.withLock { settings in
            if let settings { return settings }
            let made = Settings()
            settings = made
            return made
        }
    }
}

/// Double-checked locking: right only because the first look acquires what the store released (Bacon et al., “The
/// ‘Double-Checked Locking is Broken’ Declaration”), and because it looks again under the lock. A plain variable in place of the
/// atomic flag is a data race, which no test on this processor may ever show.
///
/// Unchecked Sendable: the settings are written once, under the mutex and before the flag is released, and read after it was
/// acquired.
package final class DoubleChecked: OnceHolder, @unchecked Sendable {
    private let isMade = Atomic<Bool>(false)
    private let mutex = Mutex(())
    private var settings: Settings?

    package init() {}

    package func value() -> Settings {
        if !isMade.load(ordering: .acquiring) {
            mutex.withLock { _ in
                guard settings == nil else { return }
                settings = Settings()
                isMade.store(true, ordering: .releasing)
            }
        }
        return settings.unsafelyUnwrapped
    }
}

/// The C library's. Its function takes no context, and so the holder that is to be filled has to be left where a function
/// without one finds it: in a key of the thread's own, set and read at each access, though it is needed at the first alone.
///
/// Unchecked Sendable: the settings are written once, by the initialiser, which happens before each return of pthread_once.
package final class PthreadOnce: OnceHolder, @unchecked Sendable {
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private let token: UnsafeMutablePointer<pthread_once_t>
    private var settings: Settings?

    package init() {
        token = .allocate(capacity: 1)
        // PTHREAD_ONCE_INIT, a macro that Swift does not see: zero in this C library.
        token.initialize(to: 0)
    }

    deinit { token.deallocate() }

    package func value() -> Settings {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        pthread_once(token) {
            let holder = pthread_getspecific(PthreadOnce.key)!
            Unmanaged<PthreadOnce>.fromOpaque(holder).takeUnretainedValue().settings = Settings()
        }
        return settings.unsafelyUnwrapped
    }
}

/// What is left of dispatch_once, which Swift does not have: a serial queue.
///
/// Unchecked Sendable: the settings are reached only on the queue.
package final class LazyOnQueue: OnceHolder, @unchecked Sendable {
    private let queue = DispatchQueue(label: "once")
    private var settings: Settings?

    package init() {}

    package func value() -> Settings {
        queue.sync {
            if let settings { return settings }
            let made = Settings()
            settings = made
            return made
        }
    }
}

/// Once, as long as nothing between the look and the store suspends.
package actor LazyActor {
    private var settings: Settings?

    package init() {}

    func current() -> Settings {
        if let settings { return settings }
        let made = Settings()
        settings = made
        return made
    }
}

/// The trap: an actor lets others in where it suspends. Each task that comes before the value is stored finds none, and makes one.
/// The cure is to store, before the first suspension, the task that makes it, and to have all wait for that.
package actor SuspendingActor {
    private var settings: Settings?
    private let suspend: @Sendable () async -> Void

    /// - Parameter suspend: as if something were read from a file or a server.
    package init(suspend: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(1)) }) {
        self.suspend = suspend
    }

    func current() async -> Settings {
        if let settings { return settings }
        await suspend()
        let made = Settings()
        settings = made
        return made
    }
}

extension LazyActor: OnceHolder {
    package nonisolated func value() -> Settings { waiting { await self.current() } }
}

extension SuspendingActor: OnceHolder {
    package nonisolated func value() -> Settings { waiting { await self.current() } }
}
