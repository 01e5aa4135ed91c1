import SystemIO

extension ExportSource {
    /// Opens a zip, looking for the export's document first among the members named `.xml`, then among the others if
    /// necessary.
    init(zip path: BytePath) throws(ExportError) {
        let directory = try ZipDirectory(path)
        let members = directory.members.filter { !$0.isFolder }
        if let member = members.first(where: { !ZipName.isSafe($0.name) }) {
            throw ExportError(.unsafeName, file: path, detail: member.name.description)
        }
        let clutter = members.filter { ZipName.isClutter($0.name) }
        let files = members.filter { !ZipName.isClutter($0.name) }
        let isNamed = { (member: ZipDirectory.Member) in member.name.asciiLowercased.hasSuffix(".xml") }
        var documents = try Self.documents(files.filter(isNamed), directory)
        if documents.isEmpty {
            documents = try Self.documents(files.filter { !isNamed($0) }, directory)
        }
        guard let document = documents.first else {
            let inner = files.first { $0.name.asciiLowercased.hasSuffix(".zip") }
            throw ExportError(
                inner == nil ? .noHealthDocument : .zipInZip, file: path, detail: inner?.name.description)
        }
        guard documents.count == 1 else {
            let names = documents.map(\.name.description).joined(separator: ", ")
            throw ExportError(.severalHealthDocuments, file: path, detail: names)
        }
        let sides = files.filter { $0 != document }.map { member in
            SideFile(
                name: Self.name(of: member.name, beside: document.name), size: member.size,
                crc32: member.crc32, place: .member(member))
        }
        self.init(
            kind: .zip, path: path, documentName: document.name, documentSize: document.size,
            documentCRC32: document.crc32, document: .member(document), sideFiles: sides,
            ignoredFiles: clutter.map(\.name), directory: directory)
    }

    /// Whether the members may be found although the zip cannot be opened, or not its document.
    static func mayBeSalvaged(_ error: ExportError) -> Bool {
        switch error.code {
        case .damagedArchive, .checksumMismatch, .truncated, .noHealthDocument, .zipInZip: true
        default: false
        }
    }

    /// Finds the files of a zip by their own headers, because its directory is missing or wrong.
    ///
    /// The document may be cut off; of several files with one name, the first one that is whole counts.
    init(salvaging path: BytePath) throws(ExportError) {
        let members = try ZipSalvage.members(of: path).filter { ZipName.isSafe($0.name) && !$0.isFolder }
        let clutter = members.filter { ZipName.isClutter($0.name) }
        let files = members.filter { !ZipName.isClutter($0.name) }
        let document = files.first { member in
            guard let stream = try? SalvagedMemberStream(member, of: path),
                let first = try? DocumentProbe.prefix(of: stream, count: DocumentProbe.length)
            else { return false }
            return DocumentProbe.isHealthDocument(first.span)
        }
        guard let document else { throw ExportError(.noHealthDocument, file: path) }
        let sides = files.filter { $0 != document }.map { member in
            SideFile(
                name: Self.name(of: member.name, beside: document.name), size: member.size ?? 0,
                crc32: member.crc32, place: .salvaged(member))
        }
        self.init(
            kind: .zip, path: path, documentName: document.name, documentSize: nil,
            documentCRC32: nil, document: .salvaged(document), sideFiles: sides,
            ignoredFiles: clutter.map(\.name))
    }

    private static func documents(
        _ members: [ZipDirectory.Member], _ directory: ZipDirectory
    ) throws(ExportError) -> [ZipDirectory.Member] {
        var found: [ZipDirectory.Member] = []
        var failure: ExportError?
        for member in members {
            // A member whose first bytes cannot be read is reported when it is read in full.
            let first: [UInt8]
            do {
                let stream = try ZipMemberStream(member, of: directory)
                first = try DocumentProbe.prefix(of: stream, count: DocumentProbe.length)
            } catch {
                failure = failure ?? error
                continue
            }
            if DocumentProbe.isHealthDocument(first.span) { found.append(member) }
        }
        // An unreadable member is reported when it is read in full, unless it may be the document.
        if found.isEmpty, let failure { throw failure }
        return found
    }
}
