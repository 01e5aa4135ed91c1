import ByteText
import HealthArchive
import HealthModel
import SampleBatches
import SystemIO

/// The differences between the newest export and an archive of earlier ones.
struct IncrementPlan {
    /// A span whose samples differ.
    struct Change {
        /// Element, type and span; the part is 0.
        let key: SampleBatch.Key
        /// Its batches in the archive.
        var held: [StoredExport.Batch] = []
        /// Its batches in the archive with samples that only earlier exports had.
        var heldGone: [StoredExport.Batch] = []
        /// Its batches in the newest export.
        var found: [StoredExport.Batch] = []
    }

    /// The archive.
    let held: StoredExport
    /// The samples in the archive that only earlier exports had.
    let heldGone: StoredExport
    /// The newest export.
    let found: StoredExport
    /// The spans that differ, sorted.
    let changes: [Change]
    /// The files that are new or have changed.
    private(set) var changedFiles: [Manifest.File] = []
    /// The files that the archive has and the newest export no longer has.
    private(set) var vanishedFiles: [Manifest.File] = []
    /// The files of the archive once it has been continued.
    private(set) var files: [Manifest.File] = []
    /// The text before the root element, if it has changed.
    let prologue: [UInt8]?
    private let holdsPrologue: Bool
    /// Whether all of the newest export is written, so that it can be read on its own.
    let isFull: Bool
    /// The files that stay as they are in the archive.
    private(set) var keptFiles: [Manifest.File] = []

    /// Compares an archive with the newest export, whose batches must have the same spans.
    ///
    /// - Parameters:
    ///   - chain: The archive.
    ///   - found: The newest export.
    ///   - isFull: Whether to write all of the newest export.
    init(_ chain: ContainerChain, _ found: StoredExport, isFull: Bool = false) throws {
        self.isFull = isFull
        (held, heldGone) = try StoredExport.both(chain)
        self.found = found
        changes = Self.changes(held, heldGone, found, isFull: isFull)
        let (former, present) = (try held.contents.prologue(), try found.contents.prologue())
        prologue = former == present && !isFull ? nil : present
        holdsPrologue = !former.isEmpty
        try compareFiles()
    }

    private static func changes(
        _ held: StoredExport, _ heldGone: StoredExport, _ found: StoredExport, isFull: Bool
    ) -> [Change] {
        let (before, after) = (held.manifest.sums, found.manifest.sums)
        var keys = Set(isFull ? [] : StoreDifference.spans(from: before, to: after))
        if isFull {
            keys.formUnion([held.manifest, found.manifest].flatMap { ($0.spans + $0.gone.spans).map(\.key) })
        }
        var changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, Change(key: $0)) })
        for (export, list) in [
            (held, \Change.held), (heldGone, \Change.heldGone), (found, \Change.found),
        ] {
            for batch in export.groups.flatMap(\.batches) {
                changes[batch.key.ofSpan]?[keyPath: list].append(batch)
            }
        }
        return changes.values.sorted { $0.key < $1.key }
    }

    private mutating func compareFiles() throws {
        let before = Dictionary(held.manifest.files.map { ($0.path, $0) }) { first, _ in first }
        for file in found.manifest.files {
            guard let known = before[file.path], try isSame(known, file) else {
                changedFiles.append(file)
                files.append(file)
                continue
            }
            keptFiles.append(known)
            files.append(known)
        }
        let present = Set(files.map(\.path))
        vanishedFiles = held.manifest.files.filter { !present.contains($0.path) }
    }

    /// Returns whether a file of the newest export adds nothing to the one in the archive.
    private func isSame(_ known: Manifest.File, _ file: Manifest.File) throws -> Bool {
        if known == file { return true }
        // A damaged file does not replace an intact one.
        guard known.isDamaged == file.isDamaged else { return file.isDamaged }
        if isFull { return false }
        return try FileContent.digest(of: known, in: held) == FileContent.digest(of: file, in: found)
    }

    /// Whether the archive already has everything.
    ///
    /// The export date is ignored, as it differs in each export.
    var isEmpty: Bool {
        changes.allSatisfy { $0.key.element == "ExportDate" } && changedFiles.isEmpty && vanishedFiles.isEmpty
    }

    /// Whether the archive has a newer export than the source; false if the time of either is not known.
    var isOlder: Bool {
        guard let mine = found.manifest.dateInOrder, let theirs = held.manifest.dateInOrder else {
            return false
        }
        return mine.isBefore(theirs)
    }

    /// Whether the archive has samples or files that only earlier exports had.
    var holdsGone: Bool { !held.manifest.gone.spans.isEmpty || !held.manifest.gone.files.isEmpty }

    /// The share of the newest export that has to be written, by stored size.
    var share: Double {
        let contents = found.contents
        let batches = changes.flatMap(\.found).total { contents.length(of: $0.key) }
        let all = found.groups.flatMap(\.batches).total { contents.length(of: $0.key) }
        // Files are compressed only when they are written, to about a third.
        let files = found.manifest.files.total(\.length) / 3
        guard LengthSum.of(all, files) > 0 else { return 0 }
        let changed = LengthSum.of(batches, changedFiles.total(\.length) / 3)
        return Double(changed) / Double(LengthSum.of(all, files))
    }

    /// Returns the paths that are superseded in the archive, sorted.
    ///
    /// - Parameter mirroring: Whether to drop everything that the newest export does not have.
    func superseded(mirroring: Bool) -> [BytePath] {
        var paths = changes.flatMap { change in
            change.held.map { EntryPath.batch($0.key) + EntryPath.linesSuffix }
        }
        let gone = mirroring ? heldGone.groups.flatMap(\.batches) : changes.flatMap(\.heldGone)
        paths += gone.map { EntryPath.batch($0.key, isGone: true) + EntryPath.linesSuffix }
        let before = Set(held.manifest.files.map(\.path))
        paths += changedFiles.map(\.path).filter { before.contains($0) } + vanishedFiles.map(\.path)
        let keptGone = Set(keptGoneFiles(mirroring: mirroring).map(\.path))
        paths += held.manifest.gone.files.map(\.path).filter { !keptGone.contains($0) }
        if prologue != nil, holdsPrologue { paths.append(EntryPath.prologue) }
        return paths.sorted()
    }

    /// Returns the files of earlier exports that the archive already has and that are still gone.
    func keptGoneFiles(mirroring: Bool) -> [Manifest.File] {
        guard !mirroring else { return [] }
        // A file that has vanished again replaces the older one.
        let superseding = Set((files + vanishedFiles).map { EntryPath.gone(file: $0.path) })
        return held.manifest.gone.files.filter { !superseding.contains($0.path) }
    }
}
