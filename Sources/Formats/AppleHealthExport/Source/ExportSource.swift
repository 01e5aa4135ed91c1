public import SystemIO

/// An export of the Health app: its main document and the files that came with it.
public struct ExportSource: Sendable {
    /// The kinds of sources.
    public enum Kind: String, Sendable {
        case zip
        case folder
        case xml
        case standardInput
    }

    /// A file beside the main document.
    public struct SideFile: Sendable, Equatable {
        /// Its path inside the export, with `/` between the parts.
        public let name: BytePath
        /// Its length in bytes, as known before reading.
        public let size: Int
        /// Its CRC-32, if recorded in a zip's directory.
        public let crc32: UInt32?
        let place: Place
    }

    /// The location of a file's bytes.
    enum Place: Sendable, Equatable {
        case member(ZipDirectory.Member)
        case salvaged(ZipSalvage.Member)
        case file(BytePath)
        case standardInput
    }

    /// The kind of the source.
    public let kind: Kind
    /// The path as given; `-` for standard input.
    public let path: BytePath
    /// The main document's name.
    public let documentName: BytePath
    /// The main document's length in bytes; nil if unknown before the end.
    public let documentSize: Int?
    /// The main document's CRC-32, if recorded in a zip's directory.
    public let documentCRC32: UInt32?
    /// The files beside the main document, sorted by name.
    public let sideFiles: [SideFile]
    /// The paths of the side files; nil for a document alone, which refers to files that are elsewhere.
    public var sidePaths: Set<String>? {
        switch kind {
        case .zip, .folder: Set(sideFiles.map { "\($0.name)" })
        case .xml, .standardInput: nil
        }
    }
    /// The files that are not part of the export: `.DS_Store`, `__MACOSX`, links, and hidden files in a folder.
    public let ignoredFiles: [BytePath]
    /// The number of files of the same export beside a document that was given on its own; they are not part of the
    /// source.
    public let filesBeside: Int
    /// The number of side files in a folder that are in no place where the Health app puts any; they are part of the source.
    public let foreignFiles: Int

    /// Whether its files were found although the directory of the zip is missing or wrong, so that others may be missing.
    public var isSalvaged: Bool { if case .salvaged = document { true } else { false } }

    private let document: Place
    private let directory: ZipDirectory?

    init(
        kind: Kind, path: BytePath, documentName: BytePath, documentSize: Int?, documentCRC32: UInt32?,
        document: Place,
        sideFiles: [SideFile] = [], ignoredFiles: [BytePath] = [], filesBeside: Int = 0,
        foreignFiles: Int = 0, directory: ZipDirectory? = nil
    ) {
        self.kind = kind
        self.path = path
        self.documentName = documentName
        self.documentSize = documentSize
        self.documentCRC32 = documentCRC32
        self.document = document
        self.sideFiles = sideFiles.sorted { $0.name < $1.name }
        self.ignoredFiles = ignoredFiles.sorted()
        self.filesBeside = filesBeside
        self.foreignFiles = foreignFiles
        self.directory = directory
    }

    /// Determines what kind of source is at `path`.
    ///
    /// - Parameter acceptingDamage: Whether to find the files of a zip without a readable directory by their own headers.
    /// - Throws: `ExportError` if nothing is there, it is not an export, or it cannot be read.
    public init(opening path: BytePath, acceptingDamage: Bool = false) throws(ExportError) {
        if path == "-" {
            self = ExportSource(
                kind: .standardInput, path: path, documentName: "standard input", documentSize: nil,
                documentCRC32: nil, document: .standardInput)
            DebugLog.log("source: standard input")
            return
        }
        do {
            let status = try FileStatus(at: path)
            switch status.kind {
            case .folder: self = try ExportSource(folder: path)
            case .file: self = try ExportSource(file: path, size: status.size, acceptingDamage)
            case .link, .other: throw ExportError(.unrecognized, file: path)
            }
            DebugLog.log("source: \(path), \(kind.rawValue), \(sideFiles.count) side files")
        } catch let error as SystemError {
            throw ExportError(error.isMissing ? .noSuchSource : .io(error), file: path)
        } catch let error as ExportError { throw error } catch {
            throw ExportError(.unrecognized, file: path)
        }
    }

    private init(file path: BytePath, size: Int, _ acceptingDamage: Bool) throws {
        guard size > 0 else { throw ExportError(.empty, file: path) }
        let first = try FileDescriptor(opening: path, .read).bytes(at: 0, count: DocumentProbe.length)
        if DocumentProbe.isZip(first.span) {
            do { self = try ExportSource(zip: path) } catch {
                guard acceptingDamage, Self.mayBeSalvaged(error) else { throw error }
                do throws(ExportError) { self = try ExportSource(salvaging: path) } catch let found {
                    throw found.code == .severalHealthDocuments ? found : error
                }
            }
        } else if DocumentProbe.isHealthDocument(first.span) || DocumentProbe.isXML(first.span) {
            self = ExportSource(
                kind: .xml, path: path, documentName: path.name, documentSize: size,
                documentCRC32: nil, document: .file(path), filesBeside: Self.filesBeside(path))
        } else {
            throw ExportError(.unrecognized, file: path)
        }
    }

    /// Returns the name of a file that came with a document: its path relative to the document's folder, if it is
    /// inside that folder.
    static func name(of file: BytePath, beside document: BytePath) -> BytePath {
        file.dropping(prefix: folder(of: document)) ?? file
    }

    /// Returns what the names of all files in the document's folder start with: its path with a slash, or nothing.
    static func folder(of document: BytePath) -> BytePath {
        let slash = document.bytes.lastIndex(of: UInt8(ascii: "/"))
        return BytePath(bytes: document.bytes.prefix(slash.map { $0 + 1 } ?? 0))
    }

    /// The path of the main document, if it is a file on disk rather than a zip member or standard input.
    public var documentFile: BytePath? {
        if case .file(let path) = document { return path }
        return nil
    }

    /// Opens the main document.
    public func openDocument() throws(ExportError) -> any ByteStream {
        try open(document, size: documentSize)
    }

    /// Opens the main document and reads its first bytes; the stream still returns them.
    public func openDocumentWithPrefix(count: Int) throws(ExportError) -> (any ByteStream, [UInt8]) {
        let stream = try openDocument()
        let prefix = try DocumentProbe.prefix(of: stream, count: count)
        return (PrefixedStream(prefix, stream), prefix)
    }

    /// Opens a file that came with the document.
    public func open(_ file: SideFile) throws(ExportError) -> any ByteStream {
        try open(file.place, size: file.size)
    }

    private func open(_ place: Place, size: Int?) throws(ExportError) -> any ByteStream {
        do {
            switch place {
            case .member(let member):
                guard let directory else { throw ExportError(.damagedArchive, file: path) }
                return try ZipMemberStream(member, of: directory)
            case .salvaged(let member): return try SalvagedMemberStream(member, of: path)
            case .file(let path):
                return FileStream(try FileDescriptor(opening: path, .read), expectedLength: size)
            case .standardInput: return try DocumentProbe.standardInput()
            }
        } catch let error as SystemError {
            throw ExportError(.io(error), file: path)
        } catch let error as ExportError { throw error } catch {
            throw ExportError(.unrecognized, file: path)
        }
    }
}
