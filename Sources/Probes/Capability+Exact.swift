import ChildProcesses

/// Counting instructions one by one, which needs no counters of the processor.
func exactInstructions() -> Capability {
    let state: Capability.State
    do throws(ExactRefusal) {
        let emulator = try Emulator.find(pluginIn: OwnProgram.folder)
        state = .available(
            "\(emulator.program) \(emulator.version), as a processor of the model \(emulator.processorModel)")
    } catch {
        state = .unavailable(reason: error.reason, remedy: nil)
    }
    return Capability("exact instructions", for: "counts that repeat, of code under an emulator", state)
}
