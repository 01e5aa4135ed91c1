import ByteText
public import HealthArchive
public import HealthModel
import SampleBatches
public import SystemIO

/// A folder with a JSON file for each sample: `TYPE/XX/ID.json`, where XX are the first digits of ID.
///
/// A file is complete or not there: it is written under a temporary name. The files of a batch are durable before its
/// anchors are, which rest in the folder `.anchors`. A folder has the samples of one person. While the target exists, no other one can use the same folder.
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
        if let status = try? FileStatus(at: path), status.kind != .folder { throw SyncError(.foreignTarget) }
        if isReadOnly {
            do throws(SystemError) { folder = try OpenFolder(opening: path) } catch {
                guard error.isMissing else { throw error }
                folder = nil
            }
            if let folder { try Self.check(folder) }
            return
        }
        try Folder.makeAll(path)
        let folder = try OpenFolder(opening: path)
        do { try folder.lock(exclusively: true) } catch { throw error.isLocked ? SyncError(.inUse) : error }
        try Self.check(folder)
        let unfinished = Self.marker + ".new"
        if try folder.statusIfThere(of: unfinished) != nil { try folder.removeFile(unfinished) }
        try Self.forgetMissing(folder)
        self.folder = folder
    }

    /// Checks that a folder is empty, or was made by an earlier synchronisation, which its marker tells.
    ///
    /// - Throws: ``SyncError``, `foreignTarget` if it is neither.
    private static func check(_ folder: OpenFolder) throws {
        guard try folder.statusIfThere(of: marker) == nil else { return }
        // A crash may have left the marker under its temporary name.
        guard try folder.entries().allSatisfy({ $0.name == marker + ".new" }) else {
            throw SyncError(.foreignTarget)
        }
    }

    /// The path of a record; folders with the first digits of identifiers keep the folders of types small.
    private func path(of record: SampleRecord) -> BytePath {
        let id = record.id.description
        return Self.folder(of: record.id.type) / BytePath(String(id.prefix(2))) / BytePath(id + ".json")
    }

    /// Returns those of the records that have a file.
    public func fetch(_ objects: [SampleRecord]) throws -> [SampleRecord]? {
        guard let folder else { return nil }
        return try objects.filter { object in
            try Self.canName(object.id.type) && folder.statusIfThere(of: path(of: object)) != nil
        }
    }

    /// Returns whether files can have the name of a type; that of a page also has the element, the span and a number.
    private static func canName(_ type: AnySampleType, element: String = "") -> Bool {
        PercentEncoding.name(type.identifier).utf8.count + PercentEncoding.name(element).utf8.count <= 200
    }

    /// Adds files.
    public func add(_ objects: [SampleRecord]) throws { try write(objects) }

    /// Replaces files.
    public func update(_ objects: [SampleRecord]) throws { try write(objects) }

    private func write(_ objects: [SampleRecord]) throws {
        var contents = SplitContents()
        for object in objects {
            guard let columns = SampleColumns(object, &contents) else { continue }
            guard Self.canName(object.id.type, element: columns.element) else {
                throw SyncError(.unsuitable("the name of its type is too long"))
            }
            try write(columns.json + [UInt8(ascii: "\n")], to: path(of: object))
        }
    }

    /// Writes a file.
    ///
    /// - Parameter isSynced: Whether its content becomes durable before its name, so that no crash leaves part of it.
    private func write(_ bytes: [UInt8], to path: BytePath, isSynced: Bool = false) throws {
        guard let folder else { throw SyncError(.notSupported) }
        if madeFolders.insert(path.parent).inserted { try folder.makeFolders(path.parent) }
        let temporary = path.parent / Self.temporary
        // A crash may have left one.
        if try folder.statusIfThere(of: temporary) != nil { try folder.removeFile(temporary) }
        let file = try folder.open(temporary, .create)
        try file.write(bytes.span)
        if isSynced { try file.sync() }
        try file.close()
        try folder.replace(path, withSibling: Self.temporary)
    }

    /// Removes files.
    public func delete(_ objects: [SampleRecord]) throws {
        for object in objects { try folder?.removeFile(path(of: object)) }
    }

    /// Does nothing: each file takes effect at once.
    public func begin(of person: String) {}

    /// Makes the files durable, and then the pages.
    public func commit(saving pages: [AnchorPage]) throws {
        try folder?.syncFilesystem()
        try save(pages, of: "")
    }

    /// Does nothing: the batch is repeated.
    public func rollBack() {}
}

/// The anchors, in files.
extension FolderTarget {
    /// One: the paths of files do not tell whose they are.
    public nonisolated var capacity: SubjectCapacity { .one }

    /// Returns the person, whom the marker names.
    public func subjects() throws -> [Subject] {
        try folder.flatMap { try Self.subject(in: $0) }.map { [$0] } ?? []
    }

    private static func subject(in folder: OpenFolder) throws -> Subject? {
        guard try folder.statusIfThere(of: marker) != nil else { return nil }
        let text = try folder.open(marker, .read).bytes(at: 0, count: markerSize)
        guard let subject = Subject(line: text) else { throw SyncError(.unreadableAnchors) }
        return subject
    }

    /// Saves the person in the marker.
    public func save(_ subject: Subject) throws {
        guard let folder else { throw SyncError(.notSupported) }
        try Self.save(subject, in: folder)
    }

    private static func save(_ subject: Subject, in folder: OpenFolder) throws {
        try folder.replaceFile(marker, with: subject.line + [UInt8(ascii: "\n")])
    }

    /// The largest length of a marker, in bytes.
    private static let markerSize = 1 << 16

    /// Returns the types that have pages, and files that these stand for.
    public func anchoredTypes(of person: String) throws -> [AnySampleType] {
        guard let folder else { return [] }
        return try Self.anchoredTypes(in: folder).filter {
            try folder.statusIfThere(of: Self.folder(of: $0)) != nil
        }
    }

    private static func anchoredTypes(in folder: OpenFolder) throws -> [AnySampleType] {
        guard try folder.statusIfThere(of: anchors) != nil else { return [] }
        return try folder.openFolder(anchors).entries().compactMap { entry in
            entry.name.text.flatMap { PercentEncoding.text(ofName: $0) }.map { AnySampleType($0) }
        }
    }

    /// Removes the anchors of types whose files someone has removed: they stand for nothing.
    private static func forgetMissing(_ folder: OpenFolder) throws {
        for type in try anchoredTypes(in: folder)
        where try folder.statusIfThere(of: Self.folder(of: type)) == nil {
            let place = place(of: type)
            try folder.removeFolder(place, being: folder.openFolder(place))
            if var subject = try subject(in: folder), subject.content != nil {
                subject.content = nil
                try save(subject, in: folder)
            }
        }
    }

    /// The folder with the files of a type.
    private static func folder(of type: AnySampleType) -> BytePath {
        BytePath(PercentEncoding.name(type.shortName))
    }

    private static func place(of type: AnySampleType) -> BytePath {
        anchors / BytePath(PercentEncoding.name(type.identifier))
    }

    private func name(of span: SampleBatch.Key, _ number: Int) -> BytePath {
        BytePath(
            [span.element, span.type, span.span, String(number)].map(PercentEncoding.name).joined(
                separator: ","))
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType, of person: String) throws -> [AnchorPage.Summary] {
        guard let folder, Self.canName(type), try folder.statusIfThere(of: Self.place(of: type)) != nil else {
            return []
        }
        let entries = try folder.openFolder(Self.place(of: type)).entries().filter {
            $0.name != Self.temporary
        }
        return try entries.map { entry in
            let parts = (entry.name.text ?? "").split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { PercentEncoding.text(ofName: String($0)) }
            let bytes = try bytes(Self.place(of: type) / entry.name, Self.summarySize)
            guard parts.count == 4, let number = Int(parts[3]), bytes.count == Self.summarySize else {
                throw SyncError(.unreadableAnchors, of: type)
            }
            let count = bytes[..<8].reduce(0) { $0 << 8 | Int($1) & 0xff }
            let sum = Hexadecimal.text(Array(bytes[8...]))
            guard
                let summary = AnchorPage.Summary(
                    element: parts[0], type: parts[1], span: parts[2], number: number, count: count, sum: sum)
            else { throw SyncError(.unreadableAnchors, of: type) }
            return summary
        }
    }

    /// The number of bytes before the identities: their count and sum.
    private static let summarySize = 24

    private func bytes(_ path: BytePath, _ size: Int) throws -> [UInt8] {
        guard let folder else { return [] }
        return try folder.open(path, .read).bytes(at: 0, count: size)
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary], of person: String) throws -> [AnchorPage] {
        try summaries.map { summary in
            let type = summary.span.sampleType
            let size = Self.summarySize + 16 * summary.sum.count
            let bytes = try bytes(Self.place(of: type) / name(of: summary.span, summary.number), size)
            guard let page = AnchorPage(summary, bytes: Array(bytes.dropFirst(Self.summarySize))) else {
                throw SyncError(.unreadableAnchors, of: type)
            }
            return page
        }
    }

    /// Saves pages: after a crash, each is the old or the new one.
    public func save(_ pages: [AnchorPage], of person: String) throws {
        guard let folder else { throw SyncError(.notSupported) }
        for page in pages {
            let path = Self.place(of: page.span.sampleType) / name(of: page.span, page.number)
            guard !page.identities.isEmpty else {
                if try folder.statusIfThere(of: path) != nil { try folder.removeFile(path) }
                continue
            }
            let sum = page.summary.sum
            let count = stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: sum.count >> $0)
            }
            try write(
                count + (Hexadecimal.bytes(sum.hexadecimal) ?? []) + page.bytes, to: path, isSynced: true)
        }
        try folder.syncFilesystem()
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) throws {
        guard let folder else { return }
        for type in types
        where try Self.canName(type) && folder.statusIfThere(of: Self.place(of: type)) != nil {
            let pages = try folder.openFolder(Self.place(of: type))
            try folder.removeFolder(Self.place(of: type), being: pages)
            madeFolders.remove(Self.place(of: type))
        }
    }
}
