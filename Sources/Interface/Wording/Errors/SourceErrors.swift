package import AppleHealthExport
package import SystemIO

extension ExportError: WordedError {
    private static let exportAgain: TerminalText =
        "copy it from the phone again, or export it again; --accept-damaged exports everything that can be read"

    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .noSuchSource: "check the path"
        case .unrecognized:

            "expected the Health app's export.zip, its unpacked folder or its export.xml"
        case .damagedArchive:
            Self.exportAgain
        case .empty: "copy it from the phone again"
        case .noHealthDocument: "look for a file that contains <HealthData"
        case .zipInZip: "unpack it once, and use the zip inside"
        case .severalHealthDocuments:
            "use a folder or zip with only one of them and its files"
        case .encryptedArchive: "unpack it and use the folder"
        case .unsupportedCompression: "unpack it and use the folder"
        case .unsafeName:

            "names that lead outside their folder, are very long, or have backslashes or control characters are refused: rename or remove the file"
        case .overlappingMembers:
            "refused, because such a file can be crafted to exhaust memory or disk"
        case .inflatesTooFar:

            "refused, because such a file can be crafted to exhaust memory or disk; unpack it and use the folder"
        case .checksumMismatch: Self.exportAgain
        case .zipOnStandardInput:
            "use the file's path, or pipe only the XML: unzip -p export.zip '*/export.xml'"
        case .unsupportedEncoding: "convert it to UTF-8 with iconv"
        case .entityDeclaration:
            "refused, because such a file can be crafted to exhaust memory or disk"
        case .truncated: Self.exportAgain
        case .tooMuchDamage: "copy it from the phone again, or export it again"
        case .malformed, .elementTooLarge, .tooManyParts, .nestedTooDeep: Self.exportAgain
        case .tooManyNames: "the file was changed or damaged; copy it from the phone again"
        case .changed: "wait until no other program writes to it"
        case .io(let error): error.advice
        }
    }
}
