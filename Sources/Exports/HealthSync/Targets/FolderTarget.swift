import ByteSpans
public import HealthModel
import JSONText
import SampleBatches
public import SystemIO

/// A folder with a JSON file for each sample: `TYPE/XX/ID.json`, where XX are the first digits of ID.
///
/// A file is complete or not there: it is written under a temporary name. The files of a batch are durable before its
/// anchors are, which rest in the folder `.anchors`. While the target exists, no other one can use the same folder.
///
/// It is meant for programs that take single files. A million samples are a million files; use a database for them.
public actor FolderTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let folder: OpenFolder?
    private var madeFolders: Set<BytePath> = []
    private static let anchors: BytePath = ".anchors"
    private static let temporary: BytePath = ".new"
    private static let marker: BytePath = ".healthvault-sync"

    /// Opens the folder at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is created if it does not exist.
    ///   - isReadOnly: Whether to change nothing.
    /// - Throws: ``SyncError``, `foreignTarget` for a folder with something else in it; `SystemError`.
    public init(path: BytePath, isReadOnly: Bool = false) throws {
        if isReadOnly {
            do throws(SystemError) { folder = try OpenFolder(opening: path) } catch {
                guard error.isMissing else { throw error }
                folder = nil
            }
            return
        }
        try Folder.makeAll(path)
        let folder = try OpenFolder(opening: path)
        do { try folder.lock(exclusively: true) } catch { throw error.isLocked ? SyncError(.inUse) : error }
        if try folder.statusIfThere(of: Self.marker) == nil {
            guard try folder.entries().isEmpty else { throw SyncError(.foreignTarget) }
            let file = try folder.open(Self.marker, .create)
            try file.write(Array("healthvault sync 1\n".utf8).span)
            try file.sync()
            try folder.sync()
        }
        self.folder = folder
    }

    /// The path of a record; folders with the first digits of identifiers keep the folders of types small.
    private func path(of record: SampleRecord) -> BytePath {
        let id = record.id.description
        return BytePath(FileNaming.name(record.id.type.shortName)) / BytePath(String(id.prefix(2)))
            / BytePath(id + ".json")
    }

    /// Returns those of the records that have a file.
    public func fetch(_ objects: [SampleRecord]) throws -> [SampleRecord]? {
        guard let folder else { return nil }
        return try objects.filter { try folder.statusIfThere(of: path(of: $0)) != nil }
    }

    /// Adds files.
    public func add(_ objects: [SampleRecord]) throws { try write(objects) }

    /// Replaces files.
    public func update(_ objects: [SampleRecord]) throws { try write(objects) }

    private func write(_ objects: [SampleRecord]) throws {
        for object in objects {
            guard let columns = SampleColumns(object) else { continue }
            try write(columns.json + [UInt8(ascii: "\n")], to: path(of: object))
        }
    }

    private func write(_ bytes: [UInt8], to path: BytePath) throws {
        guard let folder else { throw SyncError(.notSupported) }
        if madeFolders.insert(path.parent).inserted { try folder.makeFolders(path.parent) }
        let temporary = path.parent / Self.temporary
        // A crash may have left one.
        if try folder.statusIfThere(of: temporary) != nil { try folder.removeFile(temporary) }
        let file = try folder.open(temporary, .create)
        try file.write(bytes.span)
        try file.close()
        try folder.replace(path, withSibling: Self.temporary)
    }

    /// Removes files.
    public func delete(_ objects: [SampleRecord]) throws {
        for object in objects { try folder?.removeFile(path(of: object)) }
    }

    /// Does nothing: each file takes effect at once.
    public func begin() {}

    /// Makes the files durable, and then the pages.
    public func commit(saving pages: [AnchorPage]) throws {
        try folder?.syncFilesystem()
        try save(pages)
    }

    /// Does nothing: the batch is repeated.
    public func rollBack() {}
}

/// The anchors, in files.
extension FolderTarget {
    /// Returns the types that have pages.
    public func anchoredTypes() throws -> [AnySampleType] {
        guard let folder, try folder.statusIfThere(of: Self.anchors) != nil else { return [] }
        return try folder.openFolder(Self.anchors).entries().compactMap { entry in
            entry.name.text.flatMap { FileNaming.text(ofName: $0) }.map { AnySampleType($0) }
        }
    }

    private func place(of type: AnySampleType) -> BytePath {
        Self.anchors / BytePath(FileNaming.name(type.identifier))
    }

    private func name(of span: SampleBatch.Key, _ number: Int) -> BytePath {
        BytePath(
            [span.element, span.type, span.span, String(number)].map(FileNaming.name).joined(separator: ","))
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType) throws -> [AnchorPage.Summary] {
        guard let folder, try folder.statusIfThere(of: place(of: type)) != nil else { return [] }
        return try folder.openFolder(place(of: type)).entries().filter { $0.name != Self.temporary }.map {
            entry in
            let parts = (entry.name.text ?? "").split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { FileNaming.text(ofName: String($0)) }
            let bytes = try bytes(place(of: type) / entry.name, entry.status.size)
            guard parts.count == 4, let number = Int(parts[3]), bytes.count >= 24 else {
                throw SyncError(.unreadableAnchors, of: type)
            }
            let count = bytes[..<8].reduce(0) { $0 << 8 | Int($1) & 0xff }
            let sum = Hexadecimal.text(Array(bytes[8..<24]))
            guard
                let summary = AnchorPage.Summary(
                    element: parts[0], type: parts[1], span: parts[2], number: number, count: count, sum: sum)
            else { throw SyncError(.unreadableAnchors, of: type) }
            return summary
        }
    }

    private func bytes(_ path: BytePath, _ size: Int) throws -> [UInt8] {
        guard let folder else { return [] }
        return try folder.open(path, .read).bytes(at: 0, count: size)
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary]) throws -> [AnchorPage] {
        try summaries.map { summary in
            let type = summary.span.sampleType
            let size = 24 + 16 * summary.sum.count
            let bytes = try bytes(place(of: type) / name(of: summary.span, summary.number), size)
            guard let page = AnchorPage(summary, bytes: Array(bytes.dropFirst(24))) else {
                throw SyncError(.unreadableAnchors, of: type)
            }
            return page
        }
    }

    /// Saves pages, each durably before the next.
    public func save(_ pages: [AnchorPage]) throws {
        guard let folder else { throw SyncError(.notSupported) }
        for page in pages {
            let path = place(of: page.span.sampleType) / name(of: page.span, page.number)
            guard !page.identities.isEmpty else {
                if try folder.statusIfThere(of: path) != nil { try folder.removeFile(path) }
                continue
            }
            let sum = page.summary.sum
            let count = stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: sum.count >> $0)
            }
            try write(count + (Hexadecimal.bytes(sum.hexadecimal) ?? []) + page.bytes, to: path)
        }
        try folder.syncFilesystem()
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType]) throws {
        guard let folder else { return }
        for type in types where try folder.statusIfThere(of: place(of: type)) != nil {
            let pages = try folder.openFolder(place(of: type))
            try folder.removeFolder(place(of: type), being: pages)
            madeFolders.remove(place(of: type))
        }
    }
}

/// File names for texts that a stranger may have chosen.
enum FileNaming: Sendable {
    /// Returns a name that no file system takes for anything else: letters, digits, and the rest as `%XX`.
    static func name(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var name = ""
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: name.unicodeScalars.append(.init(byte))
            default: name += "%" + Hexadecimal.text([byte])
            }
        }
        return name.isEmpty ? "%" : name
    }

    /// Returns the text that a name stands for; nil if it is not one of ours.
    static func text(ofName name: String) -> String? {
        if name == "%" { return "" }
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self))
            else { return nil }
            bytes += value
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
