import AppleHealthExport
import SystemIO

/// Errors of sources.
enum SourceText {
    static func describe(_ error: ExportError) -> ErrorMessage {
        if case .io(let failure) = error.code { return SystemText.describe(failure) }
        let (message, hint, status) = describe(error.code, detail: error.detail)
        var place: TerminalText = "\(error.file)"
        if let offset = error.offset { place += ": byte \(offset)" }
        if let element = error.element { place += " (\(element))" }
        return ErrorMessage("\(place): \(message)", hint: hint, status)
    }

    private static func describe(
        _ code: ExportError.Code, detail: String?
    ) -> (message: TerminalText, hint: TerminalText, status: ExitStatus) {
        let names: TerminalText = detail.map { ": \($0)" } ?? ""
        let exportAgain: TerminalText =
            "export again from the Health app, or give --accept-truncated to take what there is"
        switch code {
        case .noSuchSource: return ("no such file or folder", "check the path", .notFound)
        case .unrecognized:
            return (
                "not an export of the Health app",
                "give export.zip as the Health app made it, its unpacked folder, or the export.xml in it",
                .unsupported
            )
        case .damagedArchive:
            return (
                "the zip is damaged or cut off",
                "copy it from the phone again; or 'zip -FF' it into another one, and give that with --accept-truncated",
                .damaged
            )
        case .empty: return ("empty", "copy it from the phone again", .unsupported)
        case .noHealthDocument:
            return (
                "holds no document of the Health app", "look for a file with <HealthData in it", .unsupported
            )
        case .severalHealthDocuments:
            return (
                "holds several documents of the Health app\(names)",
                "give a folder or zip that holds one of them and its files",
                .unsupported
            )
        case .encryptedArchive: return ("the zip is encrypted", "unpack it and give the folder", .unsupported)
        case .unsupportedCompression:
            return (
                "compressed by a method that is not supported", "unpack it and give the folder", .unsupported
            )
        case .unsafeName:
            return (
                "a file's name leads out of its folder\(names)",
                "the Health app makes no such names; take the file out, or rename it",
                .unsupported
            )
        case .overlappingMembers:
            return (
                "the zip's members overlap, which no export's do",
                "such a file can be made to exhaust a reader; it is refused", .damaged
            )
        case .inflatesTooFar:
            return (
                "a member of the zip unpacks to more than 1,100 times its size",
                "such a file can be made to exhaust a reader; unpack it yourself and give the folder",
                .damaged
            )
        case .checksumMismatch:
            return ("damaged: the zip's checksum does not match", "copy it from the phone again", .damaged)
        case .zipOnStandardInput:
            return (
                "a zip cannot be read from a pipe",
                "name the file, or pipe the XML alone: unzip -p export.zip '*/export.xml'", .usage
            )
        case .unsupportedEncoding: return ("not UTF-8\(names)", "convert it with iconv", .unsupported)
        case .entityDeclaration:
            return (
                "declares entities, which no export does",
                "such a file can be made to exhaust a reader; it is refused",
                .unsupported
            )
        case .truncated: return ("the document ends in the middle", exportAgain, .damaged)
        case .malformed(let problem): return (describe(problem), "the file was changed or damaged", .damaged)
        case .elementTooLarge:
            return ("an element is larger than 4 MiB", "the file was changed or damaged", .damaged)
        case .tooManyParts:
            return (
                "an element has more than 4,096 attributes, or 131,072 things nested in it",
                "the file was changed or damaged", .damaged
            )
        case .tooManyNames:
            return (
                "more different names of elements and types than any export has",
                "the file was changed or damaged", .damaged
            )
        case .nestedTooDeep:
            return ("elements are nested deeper than 64 levels", "the file was changed or damaged", .damaged)
        case .changed: return ("changed while it was read", "wait until nothing writes to it", .failed)
        case .io(let error): return (SystemText.describe(error).message, "", .failed)
        }
    }

    private static func describe(_ problem: ExportError.Problem) -> TerminalText {
        switch problem {
        case .startTag: "a tag is malformed"
        case .nameEncoding: "a name is no UTF-8"
        case .attributeWithoutValue: "an attribute has no value"
        case .attributeWithoutQuotes: "an attribute's value has no quotes"
        case .lessThanInAttribute: "an attribute's value holds <, or its closing quote is missing"
        case .endTagMismatch: "an end tag does not match its start tag"
        case .unexpectedEndTag: "an end tag has no start tag"
        case .unterminatedMarkup: "markup starts that is no element, comment or section"
        case .contentAfterEnd: "there is something behind the end of the document"
        case .prologue: "the document does not start like one of the Health app"
        }
    }
}
