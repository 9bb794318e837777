// The firmware of an emulated laptop: two batteries that are emptied at known powers, one that knows nothing of itself, and a
// charger. They become real entries of /sys/class/power_supply through the kernel's own drivers.
//
//   BAT0  in mWh:  50,000 when full, discharging at 36,000 mW: 1 mWh each 100 ms.
//   BAT1  in mAh:  4,400 when full, discharging at 6,000 mA of 11,400 mV, that is 68,400 mW: 1 mAh each 600 ms.
//   BAT2  unknown: says that it is there, and 0xFFFFFFFF to every other question. At rest unless the second switch is on.
//   ADP0  a charger: connected when the first switch is on.
//
// The switches are two bytes of the clock's memory (ports 0x70 and 0x71), which the machine's init writes. Time is the
// processor's, from when the machine was started, in steps of 100 ns.
// (Advanced Configuration and Power Interface Specification 6.4, chapter 10, “Power Source and Power Meter Devices”.)
DefinitionBlock ("batteries.aml", "SSDT", 2, "TASKM", "BATTERY", 0x00000001)
{
    Scope (\_SB)
    {
        OperationRegion (CLKM, SystemIO, 0x70, 2)
        Field (CLKM, ByteAcc, Lock, Preserve) { PLAC, 8, DATA, 8 }
        IndexField (PLAC, DATA, ByteAcc, Lock, Preserve)
        {
            Offset (0x60), PLUG, 8, UNKN, 8
        }

        // How many units of a battery have gone since the start, when one goes each so many milliseconds. In numbers of 32 bits,
        // which is what this machine's main table asks for: Timer comes to its end after 429 s.
        Method (GONE, 1, Serialized)
        {
            Return (ToInteger (Timer / (Arg0 * 10000)))
        }

        Device (BAT0)
        {
            Name (_HID, EisaId ("PNP0C0A"))
            Name (_UID, 1)
            Method (_STA) { Return (0x1F) }
            Method (_BIF)
            {
                // Power unit 0: mW and mWh. Design and last full capacity, technology, design voltage, warnings, names.
                Return (Package () { 0, 60000, 50000, 1, 11400, 2000, 1000, 10, 10, "HOURS", "1", "LION", "TASKM" })
            }
            // State 1: discharging. Rate, what is left, voltage.
            Name (LEFT, Package () { 1, 36000, 50000, 12000 })
            Method (_BST, 0, Serialized)
            {
                LEFT [2] = 50000 - GONE (100)
                Return (LEFT)
            }
        }

        Device (BAT1)
        {
            Name (_HID, EisaId ("PNP0C0A"))
            Name (_UID, 2)
            Method (_STA) { Return (0x1F) }
            Method (_BIF)
            {
                // Power unit 1: mA and mAh.
                Return (Package () { 1, 4800, 4400, 1, 11400, 200, 100, 1, 1, "CHARGE", "2", "LION", "TASKM" })
            }
            Name (LEFT, Package () { 1, 6000, 4400, 11400 })
            Method (_BST, 0, Serialized)
            {
                LEFT [2] = 4400 - GONE (600)
                Return (LEFT)
            }
        }

        Device (BAT2)
        {
            Name (_HID, EisaId ("PNP0C0A"))
            Name (_UID, 3)
            Method (_STA) { Return (0x1F) }
            Method (_BIF)
            {
                Return (Package () {
                    0, 0xFFFFFFFF, 0xFFFFFFFF, 1, 0xFFFFFFFF, 0, 0, 1, 1, "UNKNOWN", "3", "LION", "TASKM"
                })
            }
            Method (_BST)
            {
                If (UNKN == 1) { Return (Package () { 1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF }) }
                Return (Package () { 0, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF })
            }
        }

        Device (ADP0)
        {
            Name (_HID, "ACPI0003")
            Name (_PCL, Package () { \_SB })
            Method (_STA) { Return (0x0F) }
            Method (_PSR) { If (PLUG == 1) { Return (1) } Return (0) }
        }
    }
}
