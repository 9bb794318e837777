import Clocks
import Foundation
import FoundationNetworking
import HTTPStacks
import Threading

/// Requests through one session with a delegate.
final class URLSessionStack: HTTPStack {
    private let session: URLSession
    private let queue = SessionQueue()
    private let delegate: Delegate
    private let policy: ConnectionPolicy
    private let clock: MonotonicClock
    private let usesOwnTimeOuts: Bool

    init(_ policy: ConnectionPolicy, _ clock: MonotonicClock, usesOwnTimeOuts: Bool) {
        self.policy = policy
        self.clock = clock
        self.usesOwnTimeOuts = usesOwnTimeOuts
        let configuration = URLSessionConfiguration.following(policy)
        delegate = Delegate(configuration.httpCookieStorage)
        session = URLSession(
            configuration: configuration, delegate: delegate, delegateQueue: queue.operations)
    }

    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void) {
        let transfer = URLSessionTransfer(request, clock, hasTimer: usesOwnTimeOuts, ended)
        do throws(RequestFailure) {
            if request.cancellation?.isCancelled == true { throw RequestFailure(.cancelled, "by its caller") }
            let task = session.dataTask(
                with: try URLRequest(request, keepsAlive: policy.keepsAlive, usesOwnTimeOuts: usesOwnTimeOuts))
            delegate.transfers.withLock { $0[task.taskIdentifier] = transfer }
            transfer.begin { task.cancel() }
            task.resume()
        } catch {
            transfer.end(error)
        }
    }

    func shutDown() { session.finishTasksAndInvalidate() }

    /// Finds out which request each call is about.
    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
        let transfers = Monitor<[Int: URLSessionTransfer]>([:])
        private let cookies: HTTPCookieStorage?

        init(_ cookies: HTTPCookieStorage?) { self.cookies = cookies }

        private func transfer(_ task: URLSessionTask) -> URLSessionTransfer? {
            transfers.withLock { $0[task.taskIdentifier] }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            transfer(dataTask)?.receive(response)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            transfer(dataTask)?.receive(data)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            transfer(task)?.send(Int(bytesSent))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            guard let transfer = transfer(task), transfer.redirect(status: response.statusCode) else {
                return completionHandler(nil)
            }
            var next = request
            next.addCookies(of: cookies)
            completionHandler(next)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
        ) {
            guard let transfer = transfer(task), case .streamed(let bytes) = transfer.request.body else {
                return completionHandler(nil)
            }
            completionHandler(InputStream(data: Data(bytes)))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            if let response = task.response as? HTTPURLResponse { transfer?.note(status: response.statusCode) }
            transfer?.end(error)
        }
    }
}
