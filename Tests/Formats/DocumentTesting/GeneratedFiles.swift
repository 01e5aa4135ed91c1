import AppleHealthExport
import ByteText
package import ExportGenerator
package import SystemIO

/// Generated exports as files.
package enum GeneratedFiles {
    /// Writes the main document and gives its path.
    package static func writeXML(_ export: GeneratedExport, in folder: BytePath) throws -> BytePath {
        let path = folder + "/export.xml"
        let file = try FileDescriptor(opening: path, .create)
        try export.writeXML { (chunk: borrowing Span<UInt8>) throws(SystemError) in try file.write(chunk) }
        return path
    }

    /// Writes a zip with the main document.
    package static func writeZip(_ export: GeneratedExport, to path: BytePath) throws {
        var zip = try ZipWriter(path, modified: Timestamp(seconds: 0, offsetMinutes: 0))
        _ = try zip.add("apple_health_export/export.xml") { write throws(ExportError) in
            try export.writeXML(write)
        }
        try zip.finish()
    }
}
