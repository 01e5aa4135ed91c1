import HealthModel
import HealthQueries
import HealthVault
import SystemIO

extension SampleOptions {
    /// Returns the error to throw if no sample of some types counts, which says what they lack if there are any.
    ///
    /// - Parameter results: The statistics of the types.
    func noneCounted(in results: [StatisticsResult], of path: BytePath) -> any Error {
        for result in results {
            guard let lacking = result.lacking else { continue }
            return Absence(of: result.query.type.erased, lacking, in: path)
        }
        return nothingSelected(of: results.map(\.query.type.erased), in: path)
    }

    /// Returns why a type is left out of an answer that has others, for a warning.
    func reasonForNone(in result: StatisticsResult) -> TerminalText {
        let type = result.query.type.erased
        guard let lacking = result.lacking else { return "\(reasonForNone(of: type))" }
        return "no \(type.shortName) \(lacking)"
    }
}

extension SleepTimes {
    /// Returns the error to throw if no night is left, which says so if all samples of sleep last too long to count.
    func noneLeft(of path: BytePath) -> any Error {
        guard sessions.isEmpty, overlong > 0 else { return VaultError(.nothingSelected, path: path) }
        return Absence(of: .sleepAnalysis, "of at most a day", in: path)
    }
}

extension Absence {
    /// The source has samples of a type, but none that has what counting needs.
    fileprivate init(of type: AnySampleType, _ lacking: TerminalText, in path: BytePath) {
        self.init(path: path, what: "\(type.title) \(lacking)", hint: "'healthvault query' lists the samples")
    }
}
