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
        case "copies": Quantities.count(count, "copy of another sample", plural: "copies of other samples")
        case "overlongInSums": "\(Quantities.count(count, "sample")) of more than a year in the sums of days"
        case "typesWithoutSums":
            "the sums of days of \(Quantities.count(count, "type")) with too many or too long samples"
        case "unmappedTypes": "\(Quantities.count(count, "sample")) of types without a resource"
        case "unreadableStarts": "\(Quantities.count(count, "sample")) without a readable start"
        case "unreadableValues": "\(Quantities.count(count, "sample")) without a finite value"
        case "unknownUnits": "\(Quantities.count(count, "sample")) in a unit that cannot be converted"
        case "endsBeforeStart": "\(Quantities.count(count, "end")) before the start"
        case "nestedElements": Quantities.count(count, "nested element")
        case "otherVersions": "\(Quantities.count(count, "clinical record")) in another version than FHIR R4"
        case "unreadableResources": "\(Quantities.count(count, "clinical record")) that cannot be read"
        default: "\(count) \(kind)"
        }
    }
}
