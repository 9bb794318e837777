import Glibc
import Results

/// Graphics cards of NVIDIA, through the library that comes with their driver; loaded by name, so that nothing needs it to be
/// there.
package struct NVMLSource: EnergySource {
    package let name = "NVML"
    let library: String

    package init(library: String = "libnvidia-ml.so.1") { self.library = library }

    package func find() -> EnergyFinding {
        guard let nvml = NVML(library) else {
            return absent(.unsupported(reason: "there is no \(library): no driver of NVIDIA is installed", remedy: nil))
        }
        var answer = nvml.begin()
        var count: UInt32 = 0
        if answer == NVML.success { answer = nvml.count(&count) }
        guard answer == NVML.success else {
            let reason = "\(library): \(nvml.text(of: answer))"
            return absent(
                answer == NVML.noPermission
                    ? .denied(reason: reason, remedy: "let the user's groups open /dev/nvidia*, which udev rules grant")
                    : .unsupported(reason: reason, remedy: nil))
        }
        let found = (0..<count).map { index in
            let domain = EnergyDomain(.gpu, label: "gpu-\(index)")
            return FoundDomain(domain, source: name, access(nvml, index))
        }
        return EnergyFinding(
            source: name, domains: found,
            otherwise: .unsupported(reason: "the driver of NVIDIA knows no graphics card", remedy: nil))
    }

    private func absent(_ state: EnergyFinding.State) -> EnergyFinding {
        EnergyFinding(source: name, domains: [], state: state)
    }

    private func access(_ nvml: NVML, _ index: UInt32) -> FoundDomain.Access {
        var device: OpaquePointer?
        var answer = nvml.device(index, &device)
        guard answer == NVML.success, let device else {
            return .none(.unsupported(reason: "gpu-\(index): \(nvml.text(of: answer))"))
        }
        var energy: UInt64 = 0
        answer = nvml.energy(device, &energy)
        if answer == NVML.success {
            // In mJ since the driver was loaded. Cards update it each 10 to 100 ms.
            let counter = WrappingCounter(
                unit: .millijoules(1), range: .endless, highestPower: Watts(2000), updatePeriod: .milliseconds(200))
            return .open(NVMLReader(nvml, device, isPower: false), .counter(counter), .graphics)
        }
        // Cards before Volta have no such counter; their power can be added up, for what that is worth.
        var power: UInt32 = 0
        guard answer == NVML.notSupported, nvml.power(device, &power) == NVML.success else {
            return .none(.unsupported(reason: "gpu-\(index): \(nvml.text(of: answer))"))
        }
        // Of each 100 ms, 25 ms are in a card's reading (“Part-time Power Measurements”, SC 2024).
        return .open(NVMLReader(nvml, device, isPower: true), .power(sensed: .milliseconds(25)), .graphics)
    }
}

/// The functions of the library that are used here (NVML API Reference Guide, “Device Queries”).
final class NVML {
    typealias Start = @convention(c) () -> Int32
    typealias Count = @convention(c) (UnsafeMutablePointer<UInt32>) -> Int32
    typealias Device = @convention(c) (UInt32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    typealias Energy = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt64>) -> Int32
    typealias Power = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt32>) -> Int32
    typealias Text = @convention(c) (Int32) -> UnsafePointer<CChar>?

    static let success: Int32 = 0
    static let notSupported: Int32 = 3
    static let noPermission: Int32 = 4

    private let start: Start
    private var isStarted = false
    let count: Count
    let device: Device
    let energy: Energy
    let power: Power
    private let errorText: Text
    private let stop: Start

    /// Nil when the library is not there, or lacks one of its functions.
    init?(_ name: String) {
        guard let library = SharedLibrary(name),
            let start = library.function("nvmlInit_v2", as: Start.self),
            let count = library.function("nvmlDeviceGetCount_v2", as: Count.self),
            let device = library.function("nvmlDeviceGetHandleByIndex_v2", as: Device.self),
            let energy = library.function("nvmlDeviceGetTotalEnergyConsumption", as: Energy.self),
            let power = library.function("nvmlDeviceGetPowerUsage", as: Power.self),
            let errorText = library.function("nvmlErrorString", as: Text.self),
            let stop = library.function("nvmlShutdown", as: Start.self)
        else { return nil }
        self.start = start
        self.count = count
        self.device = device
        self.energy = energy
        self.power = power
        self.errorText = errorText
        self.stop = stop
    }

    // The library counts how often it was started: others of this process may go on.
    deinit { if isStarted { _ = stop() } }

    /// Starts the library; it is stopped with this.
    func begin() -> Int32 {
        let answer = start()
        isStarted = answer == Self.success
        return answer
    }

    func text(of answer: Int32) -> String { errorText(answer).map { String(cString: $0) } ?? "error \(answer)" }
}

final class NVMLReader: EnergyReader {
    private let nvml: NVML
    private let device: OpaquePointer
    private let isPower: Bool

    init(_ nvml: NVML, _ device: OpaquePointer, isPower: Bool) {
        self.nvml = nvml
        self.device = device
        self.isPower = isPower
    }

    func read(at moment: EnergyMoment) -> EnergyReadout {
        if isPower {
            var milliwatts: UInt32 = 0
            let answer = nvml.power(device, &milliwatts)
            return answer == NVML.success
                ? .power(.milliwatts(Double(milliwatts))) : .failed("NVML: \(nvml.text(of: answer))")
        }
        var millijoules: UInt64 = 0
        let answer = nvml.energy(device, &millijoules)
        return answer == NVML.success ? .count(millijoules) : .failed("NVML: \(nvml.text(of: answer))")
    }
}
