import HealthVault
package import SystemIO

/// Descriptions of what a format does not store, or stores as text.
package enum FormatLossText {
    package static func describe(_ kind: String, _ count: Int) -> TerminalText {
        switch kind {
        case "files": Quantities.count(count, "side file")
        case "attributes":
            "\(Quantities.count(count, "sample")) with attributes that no column stores exactly"
        case "values": Quantities.count(count, "value")
        case "times": Quantities.count(count, "time")
        case "devicePointers": Quantities.count(count, "device pointer")
        default: "\(count) \(kind)"
        }
    }
}
