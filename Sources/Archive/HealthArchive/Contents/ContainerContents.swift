import SampleBatches
import SystemIO
import VaultContainer

/// The contents of a container chain: those of the newest export, or those that only earlier ones had.
struct ContainerContents: StoredContents {
    private let chain: ContainerChain
    private var isGone = false
    /// The numbers of the entries of batches, of both kinds, by their path without a suffix.
    private let batches: [BytePath: Int]
    /// How many batches there are of either kind.
    private let counts: (newest: Int, gone: Int)
    /// The numbers of the entries of each side file, in order.
    private let pieces: [BytePath: [Int]]
    private let decoders = Pool(BatchDecoder.init)

    init(_ chain: ContainerChain) {
        self.chain = chain
        var batches: [BytePath: Int] = [:]
        batches.reserveCapacity(chain.entries.count)
        var pieces: [BytePath: [Int]] = [:]
        var counts = (newest: 0, gone: 0)
        for (number, entry) in chain.entries.enumerated() {
            switch StoredEntry(entry.name) {
            case .batch(let name):
                guard batches[name.stem] == nil else { continue }
                batches[name.stem] = number
                if name.isGone { counts.gone += 1 } else { counts.newest += 1 }
            case .piece(let path, _): pieces[path, default: []].append(number)
            case .file: pieces[entry.name, default: []].append(number)
            case .session, .manifest, .prologue, .other: break
            }
        }
        self.batches = batches
        self.pieces = pieces
        self.counts = counts
    }

    func manifest() throws -> [UInt8] {
        let text = try chain.manifest()
        return isGone ? try ManifestReader.read(text).ofGone.json : text
    }

    /// The samples that only earlier exports had.
    var ofGone: Self {
        var gone = self
        gone.isGone = true
        return gone
    }

    var isAuthentic: Bool { true }

    var batchLimit: Int { isGone ? counts.gone : counts.newest }

    func length(of key: SampleBatch.Key) -> Int { batches[path(key)].map { chain.entries[$0].length } ?? 0 }

    func positions(of key: SampleBatch.Key) -> ClosedRange<Int>? {
        guard let entry = batches[path(key)].map({ chain.entries[$0] }),
            let first = entry.number("firstPosition"), let last = entry.number("lastPosition"), first >= 0,
            first <= last, last < SampleBatch.positionLimit
        else { return nil }
        return first...last
    }

    func bytes(of key: SampleBatch.Key, _ cursor: inout ChainCursor) throws -> [UInt8] {
        // Small batches are in bundles, which are decompressed once for all batches that are read in a row.
        try chain.data(ofSingle: try entry(of: key), &cursor)
    }

    func batch(
        _ bytes: [UInt8], _ key: SampleBatch.Key, _ decoder: BatchDecoder, within bounds: BatchDecoder.Bounds
    ) throws -> SampleBatch {
        let name = try entry(of: key).name
        var batch = try decoder.batch(bytes, name, within: bounds)
        // On their own, these are ordinary samples.
        batch.isGone = false
        // The entry is found by the key in the manifest, so the batch must have that key.
        guard batch.key == key else { throw VaultError(.manifestMismatch, path: name) }
        return batch
    }

    private func path(_ key: SampleBatch.Key) -> BytePath { EntryPath.batch(key, isGone: isGone) }

    private func entry(of key: SampleBatch.Key) throws(VaultError) -> ContainerEntry {
        let name = path(key)
        guard let number = batches[name] else {
            throw VaultError(.manifestMismatch, path: name + EntryPath.linesSuffix)
        }
        return chain.entries[number]
    }

    func prologue() throws -> [UInt8] {
        guard let entry = chain.entries.first(where: { StoredEntry($0.name) == .prologue }) else { return [] }
        let bytes = try chain.data(of: entry)
        return try decoders.with { decoder in try decoder.prologue(bytes, entry.name) }
    }

    func pieces(ofFileAt path: BytePath) throws -> StoredPieces {
        guard let numbers = pieces[path] else { throw VaultError(.manifestMismatch, path: path) }
        var rest = numbers[...]
        var cursor = ChainCursor()
        return StoredPieces {
            guard let entry = rest.popFirst().map({ chain.entries[$0] }) else { return nil }
            let bytes = try chain.data(of: entry, &cursor)
            return try decoders.with { decoder in try decoder.file(bytes, entry.name) }
        }
    }
}
