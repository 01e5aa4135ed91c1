import CommandLineKit
import HealthModel
import SystemIO

/// Advice on unknown names of sample types.
package enum TypeText {
    package static func advice(unknown name: String) -> Advice {
        let names = SampleTypeName.suggestions + AnySampleType.known.map(\.identifier)
        let group = SampleTypeGroup(rawValue: name).map { SampleTypeName.groupMark + $0.rawValue }
        let meant = group ?? closestSpelling(to: name, among: names)
        return (meant.map { "did you mean '\($0)'?" } ?? "see all with 'healthvault types'", .usage)
    }
}
