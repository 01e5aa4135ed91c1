package import ByteText
import HealthModel
package import SampleBatches
package import SystemIO
package import VaultContainer

/// A finished export whose batches are read on demand: an archive, a plain folder, or a spool.
package final class StoredExport: Sendable {
    /// A batch, and the extent of the span that it belongs to.
    package struct Batch: Sendable {
        package let key: SampleBatch.Key
        /// The time before which no sample of this span or a later one starts; nil if samples have no start.
        package let first: Timestamp?
        package let last: Timestamp?
    }

    /// The batches of one element and type, in the order of their spans.
    package struct Group: Sendable {
        package let element: String
        package let type: String
        package fileprivate(set) var batches: [Batch] = []

        /// The identifier of the type.
        package var identifier: ExactName {
            ExactName(AnySampleType.identifier(ofElement: element, type: type) ?? element)
        }
    }

    /// The path of the archive or folder.
    package let path: BytePath
    /// The text of the manifest.
    package let manifestText: [UInt8]
    package let manifest: Manifest
    /// The batches, grouped by element and type; groups are sorted by both.
    package let groups: [Group]
    package let contents: any StoredContents

    /// Opens a container and those that it continues.
    ///
    /// - Parameter acceptingDamage: Whether to open the container alone if damage hides whether it continues another.
    /// - Throws: `VaultError`, `ContainerError`.
    package convenience init(
        container path: BytePath, key: ArchiveKey, acceptingDamage: Bool = false
    ) throws {
        try self.init(
            path,
            ContainerContents(
                try ContainerChain(opening: path, key: key, acceptingDamage: acceptingDamage)))
    }

    /// Makes an export of the contents of open containers.
    ///
    /// - Parameter isGone: Whether to include only the samples that the newest export no longer had.
    package convenience init(_ chain: ContainerChain, isGone: Bool = false) throws {
        let contents = ContainerContents(chain)
        try self.init(chain.links[0].path, isGone ? contents.ofGone : contents)
    }

    /// Makes an export of the newest contents of open containers, and one of the samples that it no longer had.
    package static func both(
        _ chain: ContainerChain
    ) throws -> (newest: StoredExport, gone: StoredExport) {
        let contents = ContainerContents(chain)
        let newest = try StoredExport(chain.links[0].path, contents)
        return (newest, try StoredExport(newest.path, contents.ofGone, newest.manifest.ofGone))
    }

    /// Opens a plain export folder.
    ///
    /// - Throws: `VaultError`, `SystemError`.
    package convenience init(folder path: BytePath) throws { try self.init(path, FolderContents(path)) }

    /// Reads the manifest of contents.
    package convenience init(_ path: BytePath, _ contents: any StoredContents) throws {
        let text = try contents.manifest()
        try self.init(path, contents, try ManifestReader.read(text), text)
    }

    /// Makes an export of contents that a manifest lists.
    ///
    /// - Parameter text: The manifest's text; nil to make one.
    private init(
        _ path: BytePath, _ contents: any StoredContents, _ manifest: Manifest, _ text: [UInt8]? = nil
    ) throws {
        self.path = path
        self.contents = contents
        self.manifest = manifest
        manifestText = text ?? manifest.json
        groups = try Self.groups(manifest, limit: contents.batchLimit, path)
    }

    /// Groups the batches of a manifest by element and type.
    ///
    /// - Parameter limit: The maximum number of batches.
    private static func groups(
        _ manifest: Manifest, limit: Int, _ path: BytePath
    ) throws(VaultError) -> [Group] {
        guard manifest.hasLines else { throw VaultError(.notReadBack, path: path) }
        guard manifest.batchCount <= limit else { throw VaultError(.manifestMismatch, path: path) }
        let failed = Set(manifest.failedBatches.map(\.key))
        var groups: [TypeKey: Group] = [:]
        // The spans of a type are mostly adjacent.
        var (lastKey, last) = (TypeKey(element: "", type: ""), Group(element: "", type: ""))
        for span in manifest.spans {
            let (element, type) = (span.key.element, span.key.type)
            let key = TypeKey(element: element, type: type)
            if key != lastKey {
                if !last.batches.isEmpty { groups[lastKey] = last }
                (lastKey, last) = (key, groups[key] ?? Group(element: element, type: type))
            }
            for batch in span.batchKeys(limit: limit) where failed.isEmpty || !failed.contains(batch) {
                last.batches.append(Batch(key: batch, first: span.first, last: span.last))
            }
        }
        if !last.batches.isEmpty { groups[lastKey] = last }
        return groups.sorted { $0.key < $1.key }.map { _, group in
            var group = group
            group.batches.sort { left, right in
                let (mine, theirs) = (left.first?.seconds ?? .max, right.first?.seconds ?? .max)
                return (mine, left.key.part) < (theirs, right.key.part)
            }
            return group
        }
    }

    private let decoders = Pool(BatchDecoder.init)

    /// Returns the samples of a batch.
    ///
    /// - Parameter cursor: The position of a reader of several batches.
    package func samples(of key: SampleBatch.Key, _ cursor: inout ChainCursor) throws -> SampleBatch {
        let bytes = try contents.bytes(of: key, &cursor)
        DebugLog.log("read a batch of \(bytes.count) stored bytes")
        return try decode(bytes, key, within: .largest)
    }

    /// Decodes the stored bytes of a batch.
    ///
    /// - Throws: `VaultError`, with `batchTooLarge` if it exceeds the bounds.
    func decode(
        _ bytes: [UInt8], _ key: SampleBatch.Key, within bounds: BatchDecoder.Bounds
    ) throws -> SampleBatch {
        try decoders.with { decoder in try contents.batch(bytes, key, decoder, within: bounds) }
    }

    /// Reads batches one after the other, so that each segment with several of them is decrypted only once.
    package func forEach(
        of batches: some Sequence<Batch>, _ body: (SampleBatch) throws -> Void
    ) throws {
        var cursor = ChainCursor()
        for batch in batches { try body(try samples(of: batch.key, &cursor)) }
    }

    /// All batches, by element and type and in the order of their spans.
    package var batches: [Batch] { groups.flatMap(\.batches) }
}
