import HealthModel
package import HealthVault
package import SystemIO

/// Damage in the words of a person who owns the data.
package enum DamageText {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// Describes samples that are lost: `Heart Rate, March 2024: 1,204 samples lost`.
    package static func describe(_ loss: VerificationReport.Loss) -> TerminalText {
        let title = AnySampleType.title(of: loss.type)
        let time = span(loss.span).map { ", \($0)" } ?? ""
        return "\(title)\(time): \(Quantities.count(loss.samples, "sample")) lost"
    }

    /// Returns the name of a span for people; nil if it is all of time.
    package static func span(_ name: String) -> String? {
        switch name {
        case "all": return nil
        case "undated": return "without a date"
        default: break
        }
        let parts = name.split(separator: "-")
        guard parts.count == 2, let month = Int(parts[1]), months.indices.contains(month - 1),
            parts[1].utf8.count == 2
        else { return name }
        return "\(months[month - 1]) \(parts[0])"
    }

    /// Whether an entry is a batch of samples.
    package static func isBatch(_ name: BytePath) -> Bool { name.hasPrefix(EntryPath.records) }
}
