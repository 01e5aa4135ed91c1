import ByteText
import SystemIO

extension ExportSource {
    /// The files and folders that the Health app puts beside the document.
    private static let companions: [BytePath] = [
        "electrocardiograms", "workout-routes", "clinical-records", "attachments", "export_cda.xml",
    ]

    /// Returns the number of files that the Health app exported together with a document, as far as they can be
    /// listed.
    static func filesBeside(_ document: BytePath) -> Int {
        companions.total { name in
            let place = document.sibling(name)
            guard place != document, let status = try? FileStatus(at: place) else { return 0 }
            guard status.kind == .folder else { return status.kind == .file ? 1 : 0 }
            return (try? Folder.entries(of: place))?.count {
                $0.status.kind == .file && !ZipName.isClutter($0.name)
            } ?? 0
        }
    }

    /// Files that each plain folder of this program has.
    private static let ownFiles: [BytePath] = ["SHA256SUMS", "manifest.json"]

    /// Opens an unpacked export, walking the folder without following links.
    ///
    /// The export is the folder that has the document, wherever that is: what else lies in the folder given, such as all of
    /// somebody's downloads, is not looked at. Nor are hidden files, which the Health app does not write.
    init(folder path: BytePath) throws {
        var files: [(name: BytePath, size: Int)] = []
        var ignored: [BytePath] = []
        var pending: [BytePath] = [""]
        while let folder = pending.popLast() {
            let entries = try Folder.entries(of: folder.isEmpty ? path : path / folder)
            // A plain folder that this program wrote, such as beside the archives of a destination, is no part of an export.
            if !folder.isEmpty, Self.ownFiles.allSatisfy({ name in entries.contains { $0.name == name } }) {
                ignored.append(folder)
                continue
            }
            for entry in entries {
                let name = folder / entry.name
                if ZipName.isClutter(name) || entry.name.hasPrefix(".") {
                    ignored.append(name)
                    continue
                }
                switch entry.status.kind {
                case .folder: pending.append(name)
                case .file:
                    guard ZipName.isSafe(name) else {
                        throw ExportError(.unsafeName, file: path, detail: name.description)
                    }
                    files.append((name, entry.status.size))
                case .link, .other: ignored.append(name)
                }
            }
        }
        var documents: [(name: BytePath, size: Int)] = []
        var failure: SystemError?
        for file in files where file.name.asciiLowercased.hasSuffix(".xml") {
            do throws(SystemError) {
                let first = try FileDescriptor(opening: path / file.name, .read)
                    .bytes(at: 0, count: DocumentProbe.length)
                if DocumentProbe.isHealthDocument(first.span) { documents.append(file) }
            } catch { failure = failure ?? error }
        }
        guard let document = documents.first else {
            // An unreadable file is reported when it is read in full, unless it may be the document.
            if let failure { throw failure }
            throw ExportError(.noHealthDocument, file: path)
        }
        guard documents.count == 1 else {
            let names = documents.map(\.name.description).joined(separator: ", ")
            throw ExportError(.severalHealthDocuments, file: path, detail: names)
        }
        let home = Self.folder(of: document.name)
        let sides = files.filter { $0.name != document.name && $0.name.hasPrefix(home) }.map { file in
            SideFile(
                name: Self.name(of: file.name, beside: document.name), size: file.size, crc32: nil,
                place: .file(path / file.name))
        }
        self.init(
            kind: .folder, path: path, documentName: document.name, documentSize: document.size,
            documentCRC32: nil,
            document: .file(path / document.name), sideFiles: sides,
            ignoredFiles: ignored.filter { $0.hasPrefix(home) },
            foreignFiles: sides.count { file in !Self.companions.contains { $0 == file.name.parts.first } })
    }
}
