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
        let found = try Self.document(of: files, named: \.name, path) { member throws(ExportError) in
            try ZipMemberStream(member, of: directory)
        }
        guard let document = found else {
            let inner = files.first { $0.name.asciiLowercased.hasSuffix(".zip") }
            throw ExportError(
                inner == nil ? .noHealthDocument : .zipInZip, file: path, detail: inner?.name.description)
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
        let found = try Self.document(of: files, named: \.name, path) { member throws(ExportError) in
            try SalvagedMemberStream(member, of: path)
        }
        guard let document = found else { throw ExportError(.noHealthDocument, file: path) }
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

    /// Returns the member that is the export's document, looking first among those named `.xml`, then among the others if
    /// necessary; nil if there is none.
    private static func document<Member>(
        of members: [Member], named name: (Member) -> BytePath, _ path: BytePath,
        _ opened: (Member) throws(ExportError) -> any ByteStream
    ) throws(ExportError) -> Member? {
        func isNamed(_ member: Member) -> Bool { name(member).asciiLowercased.hasSuffix(".xml") }
        var documents = try Self.documents(members.filter { isNamed($0) }, opened)
        if documents.isEmpty { documents = try Self.documents(members.filter { !isNamed($0) }, opened) }
        guard documents.count <= 1 else {
            let names = documents.map { name($0).description }.joined(separator: ", ")
            throw ExportError(.severalHealthDocuments, file: path, detail: names)
        }
        return documents.first
    }

    private static func documents<Member>(
        _ members: [Member], _ opened: (Member) throws(ExportError) -> any ByteStream
    ) throws(ExportError) -> [Member] {
        var found: [Member] = []
        var failure: ExportError?
        for member in members {
            // A member whose first bytes cannot be read is reported when it is read in full.
            let first: [UInt8]
            do {
                first = try DocumentProbe.prefix(of: try opened(member), count: DocumentProbe.length)
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
