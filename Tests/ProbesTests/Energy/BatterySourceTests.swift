import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite("Batteries as a meter of the whole device")
struct BatterySourceTests {
    private func stepped(_ tree: EnergyTree) -> SteppedMeter { SteppedMeter(BatterySource(tree.files)) }

    private var thinkpad: EnergyTree {
        let tree = EnergyTree()
        tree.battery(
            "BAT0",
            [
                "uevent": """
                POWER_SUPPLY_NAME=BAT0
                POWER_SUPPLY_STATUS=Discharging
                POWER_SUPPLY_PRESENT=1
                POWER_SUPPLY_VOLTAGE_MIN_DESIGN=10800000
                POWER_SUPPLY_VOLTAGE_NOW=11750000
                POWER_SUPPLY_POWER_NOW=5064000
                POWER_SUPPLY_ENERGY_FULL_DESIGN=47520000
                POWER_SUPPLY_ENERGY_FULL=47390000
                POWER_SUPPLY_ENERGY_NOW=40730000
                POWER_SUPPLY_CAPACITY=85
                """
            ])
        tree.set("power_supply/AC", ["type": "Mains", "online": "0"])
        return tree
    }

    @Test("a battery that tells energy is read from its uevent: 1 mWh is 3.6 J")
    func energy() {
        let tree = thinkpad
        #expect(BatterySource(tree.files).capacity.isMeasured(47.39))
        let use = stepped(tree).use(600) {
            tree.set("power_supply/BAT0/uevent", "POWER_SUPPLY_STATUS=Discharging\nPOWER_SUPPLY_ENERGY_NOW=39730000")
        }
        #expect(use.total(.battery).energy.isMeasured(3600), "1 Wh in ten minutes")
        #expect(use.total(.battery).power.isMeasured(6) && use.total(.battery).doubts == [])
    }

    @Test("a battery that tells charge needs its voltage: the mean of both ends")
    func charge() {
        let tree = EnergyTree()
        tree.battery(
            "BAT0",
            [
                "status": "Discharging", "voltage_min_design": "11400000", "voltage_now": "12600000",
                "current_now": "756000", "charge_full": "4804000", "charge_now": "4723000",
            ])
        #expect(BatterySource(tree.files).capacity.isMeasured(4.804 * 11.4))
        let use = stepped(tree).use(600) {
            tree.set("power_supply/BAT0", ["charge_now": "4623000", "voltage_now": "12400000"])
        }
        #expect(
            use.total(.battery).energy.isMeasured(0.1 * 12.5 * 3600), "100 mAh at 12.5 V, and no NaN without power_now")
    }

    @Test(
        "a battery that tells power only is added up, and told as an estimate; the current's sign is the driver's affair"
    )
    func powerOnly() {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "current_now": "-1000000", "voltage_now": "10000000"])
        let use = stepped(tree).use(10) { tree.set("power_supply/BAT0/current_now", "-2000000") }
        guard case .estimated(let joules, let share) = use.total(.battery).energy else {
            Issue.record("\(use.total(.battery).energy)")
            return
        }
        #expect(abs(joules - 150) < 1e-9 && share == 0.1, "10 W rising to 20 W for 10 s; one second of them seen")
    }

    @Test("0 W is a power, and no energy is told of it")
    func zeroWatts() {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "power_now": "0"])
        #expect(stepped(tree).use(10).total(.battery).energy.isNotCounted("did not move"))
    }

    @Test(
        "a charger in the middle of a window takes its reading away",
        arguments: [
            ("BAT0/status", "Charging", "BAT0 is charging"), ("BAT0/status", "Not charging", "BAT0: not charging"),
            ("BAT0/status", "Full", "BAT0: full"), ("BAT0/status", "Unknown", "BAT0: unknown"),
            ("AC/online", "1", "AC is online"), ("BAT0/energy_now", "40740000", "rose"),
        ])
    func charger(file: String, text: String, reason: String) {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "energy_now": "40730000"])
        tree.set("power_supply/AC", ["type": "Mains", "online": "0"])
        let stepped = stepped(tree)
        let window = stepped.meter.begin()
        stepped.clock.pass(300)
        tree.set("power_supply/" + file, text)
        stepped.meter.sample()
        stepped.clock.pass(300)
        tree.set("power_supply", ["BAT0/status": "Discharging", "AC/online": "0", "BAT0/energy_now": "30730000"])
        let use = stepped.meter.end(window)
        #expect(use.total(.battery).energy.isNotCounted(reason), "\(use.total(.battery).energy)")
    }

    @Test("a battery that is charged throughout has no reading, and doctor says why")
    func pluggedIn() {
        let tree = thinkpad
        tree.set("power_supply/AC/online", "1")
        #expect(stepped(tree).use(600).total(.battery).energy.isNotCounted("AC is online"))
        guard case .limited(let text, _) = battery(tree.files).state else {
            Issue.record("\(battery(tree.files).state)")
            return
        }
        #expect(text == "BAT0: discharging, 85 %; a charger is connected (AC is online)")
    }

    @Test(
        "two batteries are emptied one after the other, and both are the device's",
        arguments: ["Unknown", "Not charging", "Full"])
    func two(rest: String) {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "energy_now": "10000000", "energy_full": "20000000"])
        tree.battery("BAT1", ["status": rest, "energy_now": "20000000", "energy_full": "30000000"])
        #expect(BatterySource(tree.files).capacity.isMeasured(50))
        let stepped = stepped(tree)
        let window = stepped.meter.begin()
        stepped.clock.pass(600)
        tree.set("power_supply/BAT0", ["status": rest, "energy_now": "9000000"])
        tree.set("power_supply/BAT1", ["status": "Discharging"])
        stepped.meter.sample()
        stepped.clock.pass(600)
        tree.set("power_supply/BAT1/energy_now", "18000000")
        #expect(stepped.meter.end(window).total(.battery).energy.isMeasured(3 * 3600))
    }

    @Test("a battery that is taken out takes the reading away")
    func takenOut() {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "energy_now": "10000000"])
        tree.battery("BAT1", ["status": "Discharging", "energy_now": "20000000", "present": "1"])
        let use = stepped(tree).use(600) { tree.set("power_supply/BAT1/present", "0") }
        #expect(use.total(.battery).energy.isNotCounted("taken out"))
    }

    @Test("a mouse's battery and its charger are not the device's")
    func mouse() {
        let tree = EnergyTree()
        tree.battery("mouse", ["status": "Discharging", "scope": "Device", "energy_now": "1"])
        tree.set("power_supply/mouse-dock", ["type": "USB", "scope": "Device", "online": "1"])
        #expect(stepped(tree).meter.domains == [])
        #expect(stepped(tree).use(1).total(.battery).energy == .unsupported(reason: "there is none"))
        tree.battery("BAT0", ["status": "Discharging", "energy_now": "10000000"])
        let use = stepped(tree).use(600) { tree.set("power_supply/BAT0/energy_now", "9000000") }
        #expect(use.total(.battery).energy.isMeasured(3600))
    }

    @Test("a battery that tells its percentage only is no meter")
    func percentOnly() {
        let tree = EnergyTree()
        tree.battery("BAT2", ["status": "Unknown", "capacity": "50"])
        #expect(stepped(tree).use(1).total(.battery).energy.reason?.contains("BAT2 tells neither its energy") == true)
        #expect(BatterySource(tree.files).capacity.status == .unsupported)
    }

    @Test("what the kernel lists but refuses to read is as if it were not there")
    func refused() {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "energy_now": "10000000"])
        #expect(symlink("/proc/self/mem", tree.folder.path + "/sys/class/power_supply/BAT0/voltage_now") == 0)
        tree.battery("BAT2", ["status": "Unknown"])
        #expect(symlink("/proc/self/mem", tree.folder.path + "/sys/class/power_supply/BAT2/power_now") == 0)
        let use = stepped(tree).use(600) { tree.set("power_supply/BAT0/energy_now", "9000000") }
        #expect(use.total(.battery).energy.isMeasured(3600))
    }

    @Test("ten seconds of a battery are doubted, and few steps of 10 mWh too")
    func doubts() {
        let tree = EnergyTree()
        tree.battery("BAT0", ["status": "Discharging", "energy_now": "10000000"])
        let total = stepped(tree).use(10) { tree.set("power_supply/BAT0/energy_now", "9980000") }.total(.battery)
        #expect(total.energy.isMeasured(72))
        #expect(total.doubts == [.short(lasted: .seconds(10), trusted: .seconds(600)), .coarse(steps: 2)])
    }
}
