import ByteText
import HealthFormats
import SampleBatches
import SipHash
import SystemIO

/// The clinical document of an export (CDA), which is copied and described by a `DocumentReference`.
struct ClinicalDocument {
    /// The hash of the document.
    let identity: UInt128
    private let name: String
    private let size: Int

    /// Whether the name is that of a clinical document.
    static func isName(_ name: BytePath) -> Bool { name == "export_cda.xml" }

    /// Copies the document into a folder.
    init(_ file: FormatFile, _ folder: BytePath, _ files: any FormatFiles, _ read: FileReading) throws {
        let path = folder / file.name.name
        var hash = SipHash128()
        try read { bytes in
            hash.update(bytes.span)
            try files.append(bytes.span, to: path)
        }
        try files.end(path)
        name = "\(file.name.name)"
        size = file.length
        identity = hash.finish()
    }

    /// Returns the resource.
    func json(_ mapper: FHIRMapper, exportDate: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.opening(
                "DocumentReference",
                FHIRIdentifier(system: FHIRIdentity.fileSystem, value: FHIRIdentity.text(identity)))
            writer.member("status", "current")
            writer.concept("type", [.loinc("34133-9", "Summary of episode note")])
            writer.key("subject")
            writer.raw(mapper.subjectJSON.span)
            if let exported = Timestamp(apple: Array(exportDate.utf8).span) {
                writer.member("date", exported.iso)
            }
            writer.key("content")
            writer.array { writer in
                writer.object { writer in
                    writer.key("attachment")
                    writer.object { writer in
                        writer.member("contentType", "text/xml")
                        writer.member("url", name)
                        if size <= Int32.max { writer.member("size", size) }
                        writer.member("title", "Health records of the Health app")
                    }
                }
            }
        }
        return writer.bytes
    }
}
