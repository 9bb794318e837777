import Probes
import Results
import Testing

@Suite struct CounterGroupingTests {
    private func names(_ groups: [[CounterEvent]]) -> [[String]] { groups.map { $0.map(\.name) } }

    /// A processor with so many counters.
    private func room(_ counters: Int) -> ([CounterEvent]) -> Bool {
        { $0.count { !$0.isSoftware } <= counters }
    }

    @Test("everything is one group where everything fits")
    func one() throws {
        let all = try events("instructions", "page-faults", "cycles", "cache-misses")
        #expect(
            names(CounterGrouping.groups(of: all, fit: room(6)))
                == [["instructions", "cycles", "page-faults", "cache-misses"]])
    }

    @Test("what does not fit goes into further groups; software events take no room")
    func several() throws {
        let all = try events(
            "instructions", "cycles", "branches", "branch-misses", "cache-references", "cache-misses", "page-faults")
        #expect(
            names(CounterGrouping.groups(of: all, fit: room(4)))
                == [
                    ["instructions", "cycles", "branches", "branch-misses", "page-faults"],
                    ["cache-references", "cache-misses"],
                ])
    }

    @Test("partners of a ratio are kept together where two fit, however they were named")
    func partners() throws {
        let all = try events("instructions", "PAPI_L1_DCM", "branch-misses", "cycles", "branches")
        #expect(
            names(CounterGrouping.groups(of: all, fit: room(3)))
                == [["instructions", "cycles", "PAPI_L1_DCM"], ["branch-misses", "branches"]])
        #expect(CounterGrouping.groups(of: all, fit: room(1)).count == 5)
    }

    @Test("no group is larger than asked, and what fits nowhere is in none")
    func limits() throws {
        let all = try events("instructions", "cycles", "branches", "branch-misses")
        #expect(CounterGrouping.groups(of: all, most: 2, fit: room(6)).count == 2)
        #expect(
            names(CounterGrouping.groups(of: all) { group in !group.contains { $0.name == "cycles" } })
                == [["instructions", "branches", "branch-misses"]])
        #expect(CounterGrouping.groups(of: [], fit: room(6)).isEmpty)
    }

    @Test("a fit is tried, so that two events that exclude each other are counted in turn")
    func exclusion() throws {
        let all = try events("PAPI_FP_OPS", "PAPI_VEC_SP", "instructions")
        let groups = CounterGrouping.groups(of: all) { group in
            Set(group.map(\.name)).isSuperset(of: ["PAPI_FP_OPS", "PAPI_VEC_SP"]) == false
        }
        #expect(names(groups) == [["PAPI_FP_OPS", "instructions"], ["PAPI_VEC_SP"]])
    }

    @Test("trials count the groups in turn")
    func turns() throws {
        let groups = [try events("instructions"), try events("branches"), try events("cache-misses")]
        let plan = CounterPlan(choice: nil, groups: groups, unavailable: [])
        #expect(
            (0..<7).map { plan.group(ofTrial: $0)[0].name } == [
                "instructions", "branches", "cache-misses", "instructions", "branches", "cache-misses", "instructions",
            ])
        #expect(CounterPlan.none.group(ofTrial: 3).isEmpty)
    }
}

@Suite struct CounterRatioTests {
    private func ratios(_ values: [String: Reading], _ scope: Metric.Scope = .thread) throws -> [String: Reading] {
        let all = values.keys.sorted()
        let group = CounterReadings(try CounterEvent.list(all), all.map { values[$0]! })
        return Dictionary(uniqueKeysWithValues: group.ratios(scope).map { ($0.metric.name, $0.reading) })
    }

    @Test("ratios are made of what is in the group, and of nothing else")
    func whatIsThere() throws {
        #expect(
            try ratios(["instructions": .measured(300), "cycles": .measured(200), "branches": .measured(50)])
                == ["instructions_per_cycle": .measured(1.5)])
        #expect(
            try ratios(["branch-misses": .measured(5), "branches": .measured(50)]) == [
                "branch_miss_rate": .measured(0.1)
            ])
        #expect(
            try ratios(["cache-misses": .measured(1), "cache-references": .measured(4)], .process)
                == ["process_cache_miss_rate": .measured(0.25)])
        #expect(try ratios(["instructions": .measured(300)]).isEmpty)
    }

    @Test("without one of its sides a ratio has that side's reason, and an estimate stays one")
    func withoutNumbers() throws {
        let missing = Reading.unsupported(reason: "no counter")
        #expect(
            try ratios(["instructions": .measured(300), "cycles": missing]) == ["instructions_per_cycle": missing])
        #expect(
            try ratios(["instructions": .estimated(300, share: 0.5), "cycles": .estimated(200, share: 0.5)])
                == ["instructions_per_cycle": .estimated(1.5, share: 0.5)])
    }

    @Test("there is no rate of what did not happen: no infinity, no NaN, no zero")
    func none() throws {
        let rate = try ratios(["branch-misses": .measured(0), "branches": .measured(0)])["branch_miss_rate"]
        #expect(rate?.status == .notCounted)
    }
}

@Suite struct CounterChoiceTests {
    private func choice(papi: String? = nil, _ units: [CoreUnit] = [], _ scope: CounterChoice.Facts.Scope = .thread)
        throws -> CounterChoice
    {
        CounterChoice(
            for: try events("instructions"),
            CounterChoice.Facts(papiRefusal: papi, coreUnits: units, scope: scope))
    }

    @Test("PAPI counts threads; the kernel counts what PAPI cannot, and the reason is told")
    func backends() throws {
        #expect(try choice().backend == .papi)
        let off = try choice(papi: "PAPI has turned its counters off (paranoid=3)")
        #expect(off.backend == .perf && off.reason.contains("paranoid=3"))
        let hybrid = try choice([CoreUnit(name: "cpu_core", type: 4), CoreUnit(name: "cpu_atom", type: 10)])
        #expect(hybrid.backend == .perf && hybrid.reason.contains("cpu_core and cpu_atom"))
        #expect(try choice([], .process).backend == .perf)
    }
}
