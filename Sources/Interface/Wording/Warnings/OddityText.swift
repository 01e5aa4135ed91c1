package import SystemIO

/// Messages about oddities of a source.
package enum OddityText {
    package static func describe(_ name: String, _ count: Int) -> TerminalText {
        switch name {
        case "controlCharacters":
            "\(Quantities.count(count, "control character")) that XML does not allow (kept)"
        case "undefinedReferences":
            "\(Quantities.count(count, "reference")) to undefined entities (kept as written)"
        case "duplicateAttributes": "\(Quantities.count(count, "attribute")) given twice (both kept)"
        case "malformedBytes": "\(Quantities.count(count, "byte")) of invalid UTF-8 (kept)"
        case "strayTexts": "\(Quantities.count(count, "stray text")) between elements (kept)"
        case "unreadableDates":
            "\(Quantities.count(count, "date")) in an unknown format (kept as text)"
        case "unknownAttributes":
            "\(Quantities.count(count, "unknown attribute")) (kept)"
        case "droppedComments": "\(Quantities.count(count, "comment")) between elements (not kept)"
        case "droppedInstructions":
            "\(Quantities.count(count, "processing instruction")) between elements (not kept)"
        case "nestedDocuments":
            "\(Quantities.count(count, "more HealthData element")) inside the document (kept as elements, their contents not counted as samples)"
        case "unknownElements":
            "\(Quantities.count(count, "unknown element")) (kept)"
        case "missingFiles":
            "\(Quantities.count(count, "side file")) missing that workouts or clinical records refer to"
        case "filesBeside":
            "\(Quantities.count(count, "side file")) beside the document not included (ECGs, routes and others)"
        case "foreignFiles":
            "\(Quantities.count(count, "file")) in the folder of the document that the Health app does not put there ('inspect --all' lists them)"
        default: "\(name): \(count)"
        }
    }
}
