import CommandOutput
import HealthModel
import HealthQueries
import HealthVault
import SystemIO

extension [SleepSession] {
    /// Returns the error to throw if no night is left, which says so if all samples of sleep last too long to count.
    ///
    /// - Parameter overlong: The number of samples that last too long.
    func noneLeft(overlong: Int, of path: BytePath) -> any Error {
        guard isEmpty, overlong > 0 else { return VaultError(.nothingSelected, path: path) }
        return Absence(
            path: path, what: "\(AnySampleType.sleepAnalysis.title) of at most a year",
            hint: "'healthvault query' lists the samples")
    }
}
