import Clocks
import Foundation
import FoundationNetworking
import HTTPStacks

/// Requests through one session by `data(for:)`, each from a task of its own.
final class URLSessionAsyncStack: HTTPStack {
    private let session: URLSession
    private let queue = SessionQueue()
    private let policy: ConnectionPolicy
    private let clock: MonotonicClock
    private let usesOwnTimeOuts: Bool
    /// Where its tasks run; nil for the pool that all tasks of Swift share.
    private let executor: (any TaskExecutor)?

    init(
        _ policy: ConnectionPolicy, _ clock: MonotonicClock, usesOwnTimeOuts: Bool, executor: (any TaskExecutor)?
    ) {
        self.executor = executor
        self.policy = policy
        self.clock = clock
        self.usesOwnTimeOuts = usesOwnTimeOuts
        session = URLSession(
            configuration: .following(policy), delegate: nil, delegateQueue: queue.operations)
    }

    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void) {
        let transfer = URLSessionTransfer(request, clock, hasTimer: usesOwnTimeOuts, ended)
        do throws(RequestFailure) {
            if request.cancellation?.isCancelled == true { throw RequestFailure(.cancelled, "by its caller") }
            let sent = try URLRequest(request, keepsAlive: policy.keepsAlive, usesOwnTimeOuts: usesOwnTimeOuts)
            let task = Task.detached(executorPreference: executor) { [session] in
                do {
                    let (data, response) = try await session.data(for: sent)
                    transfer.receive(whole: data, response)
                    transfer.end(nil)
                } catch {
                    transfer.end(error)
                }
            }
            transfer.begin { task.cancel() }
        } catch {
            transfer.end(error)
        }
    }

    func shutDown() { session.finishTasksAndInvalidate() }
}

extension URLSessionTransfer {
    /// The answer, whose first byte nobody was told of.
    fileprivate func receive(whole data: Data, _ response: URLResponse) {
        if let response = response as? HTTPURLResponse { note(status: response.statusCode) }
        if !data.isEmpty { receive(data) }
    }
}
