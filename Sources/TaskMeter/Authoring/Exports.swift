// What a suite's author needs from lower floors comes with `import TaskMeter`.
@_exported import struct Recording.MonotonicClock
@_exported import class Recording.TaskRecorder
@_exported import struct Results.BenchmarkID
@_exported import struct Results.Instant
@_exported import struct Results.Nanoseconds
@_exported import struct Results.RecordingFaults
@_exported import struct Results.TaskID
@_exported import struct Results.TaskRecord
@_exported import enum Results.TaskStatus
@_exported import protocol Strategies.Strategy
@_exported import struct Strategies.StrategyChoice
