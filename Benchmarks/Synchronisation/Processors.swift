import Foundation

/// How many threads can run at once here, by affinity and quota.
let processors = ProcessInfo.processInfo.activeProcessorCount
