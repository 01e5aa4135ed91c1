package import AppleHealthExport
import SystemIO

/// Advice on errors of sources.
package enum SourceText {
    private static let exportAgain: TerminalText =
        "copy it from the phone again, or export it again; --accept-damaged exports everything that can be read"

    package static func advice(_ code: ExportError.Code) -> Advice {
        switch code {
        case .noSuchSource: ("check the path", .notFound)
        case .unrecognized:
            (
                "give export.zip as the Health app made it, its unpacked folder, or the export.xml in it",
                .unsupported
            )
        case .damagedArchive:
            (
                "copy it from the phone again; or 'zip -FF' it into another one, and give that with --accept-damaged",
                .damaged
            )
        case .empty: ("copy it from the phone again", .unsupported)
        case .noHealthDocument: ("look for a file with <HealthData in it", .unsupported)
        case .severalHealthDocuments:
            ("give a folder or zip that holds one of them and its files", .unsupported)
        case .encryptedArchive: ("unpack it and give the folder", .unsupported)
        case .unsupportedCompression: ("unpack it and give the folder", .unsupported)
        case .unsafeName:
            ("the Health app makes no such names; take the file out, or rename it", .unsupported)
        case .overlappingMembers: ("such a file can be made to exhaust a reader; it is refused", .damaged)
        case .inflatesTooFar:
            ("such a file can be made to exhaust a reader; unpack it yourself and give the folder", .damaged)
        case .checksumMismatch: (exportAgain, .damaged)
        case .zipOnStandardInput:
            ("name the file, or pipe the XML alone: unzip -p export.zip '*/export.xml'", .usage)
        case .unsupportedEncoding: ("convert it with iconv", .unsupported)
        case .entityDeclaration: ("such a file can be made to exhaust a reader; it is refused", .unsupported)
        case .truncated: (exportAgain, .damaged)
        case .malformed, .elementTooLarge, .tooManyParts, .nestedTooDeep: (exportAgain, .damaged)
        case .tooManyNames: ("the file was changed or damaged: copy it from the phone again", .damaged)
        case .changed: ("wait until nothing writes to it", .failed)
        case .io(let error): SystemText.advice(error)
        }
    }
}
