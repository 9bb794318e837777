/// Closures of the main actor that are called once for each iteration of a batch which as a whole runs there.
///
/// What each gets is the same closure with its isolation out of the type, so that the loops need no copy for the main
/// actor. This is safe as `MainActor.assumeIsolated` is, which does the same for one call: isolation is no part of how a
/// function is called, and `drive` calls these batches on the main actor alone, because their place is `.mainActor`. In
/// structs, because a closure that passes by itself through `unsafeBitCast` comes back in wrappers that cost a call.
enum MainActorBody {
    static func withoutIsolation(_ body: @escaping @MainActor @Sendable () throws -> Void)
        -> @Sendable () throws -> Void
    {
        unsafeBitCast(IsolatedBody(body: body), to: Body.self).body
    }

    static func withoutIsolation<Value>(
        _ body: @escaping @MainActor @Sendable () throws -> Value
    ) -> @Sendable () throws -> Value {
        unsafeBitCast(IsolatedMaker(body: body), to: Maker<Value>.self).body
    }

    static func withoutIsolation<Value>(
        _ body: @escaping @MainActor @Sendable (inout Value) throws -> Void
    ) -> @Sendable (inout Value) throws -> Void {
        unsafeBitCast(IsolatedChanger(body: body), to: Changer<Value>.self).body
    }

    static func withoutIsolation<Value>(
        _ body: @escaping @MainActor @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        unsafeBitCast(IsolatedTaker(body: body), to: Taker<Value>.self).body
    }
}

private struct IsolatedBody { let body: @MainActor @Sendable () throws -> Void }
private struct Body { let body: @Sendable () throws -> Void }

private struct IsolatedMaker<Value> { let body: @MainActor @Sendable () throws -> Value }
private struct Maker<Value> { let body: @Sendable () throws -> Value }

private struct IsolatedChanger<Value> { let body: @MainActor @Sendable (inout Value) throws -> Void }
private struct Changer<Value> { let body: @Sendable (inout Value) throws -> Void }

private struct IsolatedTaker<Value> { let body: @MainActor @Sendable (Value) -> Void }
private struct Taker<Value> { let body: @Sendable (Value) -> Void }
