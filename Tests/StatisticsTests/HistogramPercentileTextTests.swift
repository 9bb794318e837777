import Statistics
import Testing

@Suite struct HistogramPercentileTextTests {
    private func rows(_ text: String) -> [[Substring]] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst().map { $0.split(separator: " ") }
    }

    @Test("one value has a row for the first tick and one for all")
    func one() {
        let expected = """
                   Value     Percentile TotalCount 1/(1-Percentile)

                   7.000 0.000000000000          1           1.00
                   7.000 1.000000000000          1
            #[Mean    =        7.000, StdDeviation   =        0.000]
            #[Max     =        7.000, Total count    =            1]
            #[Buckets =            1, SubBuckets     =         2048]

            """
        #expect(Histogram(of: [7]).percentileText() == expected)
    }

    @Test("no values are a table without rows, whose count says 0")
    func none() {
        let text = Histogram().percentileText()
        #expect(rows(text).isEmpty)
        #expect(text.contains("Total count    =            0]\n"))
        #expect(!text.contains("nan"))
    }

    @Test("there is one last row, it has all values and no fourth column, and nothing is infinite")
    func lastRow() {
        for seed: UInt64 in 1...20 {
            let values = valuesOfAllMagnitudes(seed: seed, count: Int(seed * seed * 7))
            let text = Histogram(of: values).percentileText()
            let rows = rows(text)
            #expect(rows.filter { $0[1] == "1.000000000000" }.count == 1)
            #expect(rows.last?.count == 3 && rows.last?[2] == "\(values.count)")
            #expect(rows.dropLast().allSatisfy { $0.count == 4 })
            #expect(!text.contains("inf") && !text.contains("nan"))
        }
    }

    @Test("each row's share of the values does not exceed its value, and its count is right")
    func truth() throws {
        let values = Array(1...2_000 as ClosedRange<Int64>)
        for ticks in [1, 5, 7] {
            for row in rows(Histogram(of: values).percentileText(ticksPerHalfDistance: ticks)) {
                let value = try #require(Double(row[0]))
                let share = try #require(Double(row[1]))
                let count = try #require(Int(row[2]))
                #expect(values.count { Double($0) <= value } == count)
                #expect(Double(count) / 2_000 >= share - 1e-12)
            }
        }
    }

    @Test("ticks halve with the distance, as many for each half")
    func ticks() {
        let shares = rows(Histogram(of: Array(1...1_000)).percentileText(ticksPerHalfDistance: 2)).map { $0[1] }
        #expect(
            shares.prefix(7) == [
                "0.000000000000", "0.250000000000", "0.500000000000", "0.625000000000", "0.750000000000",
                "0.812500000000", "0.875000000000",
            ])
    }

    @Test("a unit divides values, mean, deviation and maximum, and not counts")
    func unit() {
        let values = (1...1_000 as ClosedRange<Int64>).map { $0 * 1_000 }
        let text = Histogram(of: values).percentileText(unit: 1_000)
        #expect(text.contains("#[Mean    =      500.505, StdDeviation   =      288.676]\n"))
        #expect(text.contains("#[Max     =     1000.447, Total count    =         1000]\n"))
        #expect(text.contains("     500.223 0.500000000000        500           2.00\n"))
    }

    @Test("the largest counts and values end, and are written out", .timeLimit(.minutes(1)))
    func largest() {
        var histogram = Histogram()
        histogram.record(1, count: .max - 1)
        histogram.record(.max)
        let rows = rows(histogram.percentileText())
        #expect(rows.last?[0] == "9223372036854775808.000" && rows.last?[2] == "9223372036854775807")
        #expect(rows.count < 5 * 64 + 2)
    }
}
