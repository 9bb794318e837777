/// A file with one number, as a reader of a counter.
final class NumberFileReader: EnergyReader {
    private let file: KeptFile
    private let isPower: Bool

    /// - Parameter isPower: whether it is power in µW, and no counter.
    init(_ file: KeptFile, isPower: Bool = false) {
        self.file = file
        self.isPower = isPower
    }

    func read(at moment: EnergyMoment) -> EnergyReadout {
        switch file.number() {
        case .success(let number?): isPower ? .power(.microwatts(Double(number))) : .count(number)
        case .success(nil): .failed("\(file.path) holds no number")
        case .failure(let refusal): .failed(refusal.text)
        }
    }
}
