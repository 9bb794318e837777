@_exported import Results

// What a suite's author needs from lower floors comes with `import TaskMeter`. Results comes whole, for the arithmetic of
// its times is lost when only their types are exported.
@_exported import struct Clocks.MonotonicClock
@_exported import struct Recording.Phase
@_exported import class Recording.TaskRecorder
@_exported import class Strategies.ResidentThread
@_exported import enum Strategies.ResidentThreadError
@_exported import protocol Strategies.Strategy
@_exported import struct Strategies.StrategyChoice
@_exported import struct Strategies.StrategyTraits
