import HTTPStacks
import TaskMeter
import URLSessionStacks

/// A stack on an axis.
package struct Stack: AxisValue {
    package let name: String
    package let choice: HTTPStackChoice

    /// - Parameter name: what it is called here, where it is not called as it calls itself.
    init(_ choice: HTTPStackChoice, as name: String? = nil) {
        self.choice = choice
        self.name = name ?? choice.name
    }

    package var axisText: String { name }

    package static func == (left: Stack, right: Stack) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Those that are compared. A further one is a line here, and nothing else.
    package static let all: [Stack] = [
        .socket, Stack(.socketEpoll), .curlEasy, .curlMulti, .urlSession, .urlSessionAsync,
    ]

    /// An axis of some in every run, and of the others with `--full`.
    static func axis(_ usual: Stack...) -> Axis<Stack> {
        Axis("stack", usual, full: all.filter { !usual.contains($0) })
    }

    static let socket = Stack(.socket)
    static let curlEasy = Stack(.curlEasy())
    static let curlMulti = Stack(.curlMulti())
    static let urlSession = Stack(.urlSession)
    static let urlSessionAsync = Stack(.urlSessionAsync)

    /// Whether it can do this; what it cannot, it gives a reason for.
    package func can(_ ability: HTTPStackChoice.Ability) -> Bool { !choice.limits.contains { $0.lacks == ability } }
}
