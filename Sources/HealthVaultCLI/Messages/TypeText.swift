import CommandLineKit
import HealthModel
import HealthVault
import SystemIO

/// Messages for unknown names of sample types.
enum TypeText {
    static func unknown(_ name: String, _ error: VaultError) -> ErrorMessage {
        let names = SampleTypeName.suggestions + SampleType.known.map(\.identifier)
        let group = SampleTypeGroup(rawValue: name).map { SampleTypeName.groupMark + $0.rawValue }
        let meant = group ?? closestSpelling(to: name, among: names)
        return ErrorMessage(
            "\(error)",
            hint: meant.map { "did you mean '\($0)'?" } ?? "see all with 'healthvault types'", .usage)
    }
}
