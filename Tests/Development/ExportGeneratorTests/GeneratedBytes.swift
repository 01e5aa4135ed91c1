import ExportGenerator

extension GeneratedExport {
    /// The whole main document; for exports small enough to be held.
    var xml: [UInt8] {
        var bytes: [UInt8] = []
        writeXML { bytes.append($0) }
        return bytes
    }

    var xmlText: String { String(decoding: xml, as: UTF8.self) }

    func bytes(of file: SideFile) -> [UInt8] {
        var bytes: [UInt8] = []
        writeSideFile(file) { bytes.append($0) }
        return bytes
    }

    func text(of file: SideFile) -> String { String(decoding: bytes(of: file), as: UTF8.self) }
}

extension [UInt8] {
    fileprivate mutating func append(_ span: borrowing Span<UInt8>) {
        for index in span.indices { append(span[index]) }
    }
}

/// An export of small size with chosen options.
func export(_ change: (inout GeneratedExport.Options) -> Void = { _ in }) -> GeneratedExport {
    var options = GeneratedExport.Options(xmlBytes: 200_000)
    change(&options)
    return GeneratedExport(options)
}
