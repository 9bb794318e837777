import CommandOptions
import Glibc
import TaskMeter

let code = Taskmeter.dispatch(Array(CommandLine.arguments.dropFirst()))
if let failure = Console.failure {
    Console.write("taskmeter: cannot write to standard output: \(failure)\n", to: .error)
    exit(code == ExitCode.done ? ExitCode.environment : code)
}
exit(code)
