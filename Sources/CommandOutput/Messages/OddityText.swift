package import SystemIO

/// Messages about oddities of a source.
package enum OddityText {
    package static func describe(_ name: String, _ count: Int) -> TerminalText {
        switch name {
        case "controlCharacters":
            "\(Quantities.count(count, "control character")) that XML does not allow, kept"
        case "undefinedReferences":
            "\(Quantities.count(count, "reference")) to undefined entities, kept as written"
        case "duplicateAttributes": "\(Quantities.count(count, "attribute")) given twice, both kept"
        case "malformedBytes": "\(Quantities.count(count, "byte")) that is no UTF-8, kept"
        case "strayTexts": "\(Quantities.count(count, "piece")) of text between the elements, kept"
        case "unreadableDates":
            "\(Quantities.count(count, "date")) not written as Apple writes them, kept as text"
        case "unknownAttributes":
            "\(Quantities.count(count, "attribute")) that Apple's format does not name, kept"
        case "droppedComments": "\(Quantities.count(count, "comment")) between the elements, not kept"
        case "unknownElements":
            "\(Quantities.count(count, "element")) that Apple's format does not name, kept"
        case "filesBeside":
            "\(Quantities.count(count, "file")) beside the document not included: ECGs, routes and the like"
        default: "\(name): \(count)"
        }
    }
}
