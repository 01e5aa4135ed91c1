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
                "expected the Health app's export.zip, its unpacked folder or its export.xml",
                .unsupported
            )
        case .damagedArchive:
            (exportAgain, .damaged)
        case .empty: ("copy it from the phone again", .unsupported)
        case .noHealthDocument: ("look for a file that contains <HealthData", .unsupported)
        case .zipInZip: ("unpack it once, and use the zip inside", .unsupported)
        case .severalHealthDocuments:
            ("use a folder or zip with only one of them and its files", .unsupported)
        case .encryptedArchive: ("unpack it and use the folder", .unsupported)
        case .unsupportedCompression: ("unpack it and use the folder", .unsupported)
        case .unsafeName:
            (
                "names that lead outside their folder, are very long, or have backslashes or control characters are refused: rename or remove the file",
                .unsupported
            )
        case .overlappingMembers:
            ("refused, because such a file can be crafted to exhaust memory or disk", .damaged)
        case .inflatesTooFar:
            (
                "refused, because such a file can be crafted to exhaust memory or disk; unpack it and use the folder",
                .damaged
            )
        case .checksumMismatch: (exportAgain, .damaged)
        case .zipOnStandardInput:
            ("use the file's path, or pipe only the XML: unzip -p export.zip '*/export.xml'", .usage)
        case .unsupportedEncoding: ("convert it to UTF-8 with iconv", .unsupported)
        case .entityDeclaration:
            ("refused, because such a file can be crafted to exhaust memory or disk", .unsupported)
        case .truncated: (exportAgain, .damaged)
        case .tooMuchDamage: ("copy it from the phone again, or export it again", .damaged)
        case .malformed, .elementTooLarge, .tooManyParts, .nestedTooDeep: (exportAgain, .damaged)
        case .tooManyNames: ("the file was changed or damaged; copy it from the phone again", .damaged)
        case .changed: ("wait until no other program writes to it", .failed)
        case .io(let error): SystemText.advice(error)
        }
    }
}
