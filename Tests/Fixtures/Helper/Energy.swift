import CPowerZone
import Glibc
import Probes
import Results

/// Becomes the user “nobody”, who may read what everybody may, and never becomes another again. CI runs as root, whom no file
/// mode stops.
func becomeNobody() {
    guard getuid() == 0 else { return }
    precondition(setgroups(0, nil) == 0 && setgid(65534) == 0 && setuid(65534) == 0)
}

/// One line: the status of a reading, its number or reason, and its remedy.
func line(_ reading: Reading) -> String {
    "\(reading.status.rawValue)\t\(reading.value.map { "\($0)" } ?? reading.reason ?? "")\t\(reading.remedy ?? "")"
}

/// Says what an ordinary user is told of the energy in a tree: by doctor, and by a meter's window.
func sayEnergyAsNobody(root: String) {
    becomeNobody()
    let files = KernelFiles(root: root)
    if case .unavailable(let reason, let remedy) = energyCounters(files).state { say("\(reason)\t\(remedy ?? "")") }
    let meter = EnergyMeter(
        [PowercapSource(files).find(), HwmonSource(files).find()], isShared: false, inBackground: false)
    let use = meter.end(meter.begin())
    say(line(use.processors.energy))
    say(line(use.total(.sensor).energy))
    say(line(PerfPowerSource(files, open: { _, _, _ in -EACCES }).refusal(EACCES)))
    // The kernel's own refusal to count a whole processor, and what a clock of it would count otherwise.
    let perf = PerfPowerSource(files).find()
    say(line(perf.domains.first?.absence ?? .measured(1)))
}

/// Says how many threads and open files a meter of a tree adds, and leaves.
func sayWhatAMeterHolds(root: String) {
    func count(_ folder: String) -> Int { KernelFiles().names(in: folder).count }
    let before = (count("/proc/self/task"), count("/proc/self/fd"))
    let files = KernelFiles(root: root)
    let meter = EnergyMeter([PowercapSource(files).find(), BatterySource(files).find()], isShared: false)
    _ = meter.end(meter.begin())
    say("\(count("/proc/self/task") - before.0) \(count("/proc/self/fd") - before.1)")
    meter.stop()
    say("\(count("/proc/self/fd") - before.1)")
}

/// Mounts a zone that can refuse on a folder of a tree, and says what windows tell while it does.
func sayWhatRefusalsMake(root: String, zone: String) {
    let refusal = cpowerzone_mount(zone, "package-0", 262_143_328_850)
    guard refusal == 0 else { return say("cannot: \(errnoText(refusal))") }
    cpowerzone_set(262_143_000_000)
    let source = PowercapSource(KernelFiles(root: root))
    let meter = EnergyMeter(
        [source.find()], isShared: false, inBackground: false,
        clock: { [moment = SteppingMoment()] in moment.next() })
    func window(_ change: () -> Void) {
        let window = meter.begin()
        change()
        say(line(meter.end(window).processors.energy))
    }
    window { cpowerzone_set(1_000_000) }
    for number in [EIO, ENODATA, ENODEV] {
        window { cpowerzone_refuse(number) }
        // Back within the next window: its begin was not seen.
        window {
            cpowerzone_refuse(0)
            cpowerzone_set(9_000_000)
        }
        window { cpowerzone_set(10_000_000) }
    }
    // The zone goes with its processor: what was open refuses, and the name is gone too, until it is back.
    window {
        cpowerzone_refuse(ENODEV)
        cpowerzone_exist(0)
    }
    window {}
    cpowerzone_refuse(0)
    cpowerzone_set(3)
    cpowerzone_exist(1)
    meter.sample()
    window { cpowerzone_set(2_000_003) }
    // Found while it refuses.
    cpowerzone_refuse(ENODATA)
    say("\(source.find().state)")
    cpowerzone_refuse(0)
    becomeNobody()
    say("\(source.find().state.absence?.status.rawValue ?? "found")")
}

/// A clock that is a second later each time.
final class SteppingMoment: @unchecked Sendable {
    // Unchecked: the one thread of this program's check reads it.
    private var seconds: Int64 = 0
    func next() -> EnergyMoment {
        seconds += 1
        return EnergyMoment(awake: seconds * 1_000_000_000, sinceBoot: seconds * 1_000_000_000)
    }
}
