import Results

func clockSource(_ files: KernelFiles) -> Fact {
    files.text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}
