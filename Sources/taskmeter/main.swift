import CommandOptions
import Glibc

exit(Taskmeter.dispatch(Array(CommandLine.arguments.dropFirst())))
