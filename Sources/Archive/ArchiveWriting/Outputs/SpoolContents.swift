import HealthArchive
import SampleBatches
import SystemIO
import VaultCrypto

/// The contents of a spool.
struct SpoolContents: StoredContents {
    private let file: SpoolFile
    private let places: [BytePath: [SpooledPlace]]
    private let manifestText: [UInt8]
    private let tools: Pool<Tools>

    /// The tools that only one reader uses at a time.
    private final class Tools: @unchecked Sendable {
        // @unchecked: the pool hands the tools to one task at a time.
        var cipher: AES256GCM
        let decoder: BatchDecoder

        init(_ file: SpoolFile) throws {
            cipher = try file.cipher()
            decoder = try BatchDecoder()
        }
    }

    init(_ file: SpoolFile, _ places: [BytePath: [SpooledPlace]], _ manifestText: [UInt8]) {
        self.file = file
        self.places = places
        self.manifestText = manifestText
        tools = Pool { try Tools(file) }
    }

    func manifest() throws -> [UInt8] { manifestText }

    var isAuthentic: Bool { true }

    var batchLimit: Int { places.count }

    func length(of key: SampleBatch.Key) -> Int { places[Self.name(of: key)]?.first?.length ?? 0 }

    func positions(of key: SampleBatch.Key) -> ClosedRange<Int>? {
        places[Self.name(of: key)]?.first?.positions
    }

    func bytes(of key: SampleBatch.Key, _ cursor: inout ChainCursor) throws -> [UInt8] {
        let name = Self.name(of: key)
        guard let place = places[name]?.first else { throw VaultError(.manifestMismatch, path: name) }
        return try tools.with { tools in try file.bytes(at: place, &tools.cipher) }
    }

    func batch(
        _ bytes: [UInt8], _ key: SampleBatch.Key, _ decoder: BatchDecoder, within bounds: BatchDecoder.Bounds
    ) throws -> SampleBatch {
        try decoder.batch(bytes, Self.name(of: key), within: bounds)
    }

    private static func name(of key: SampleBatch.Key) -> BytePath {
        EntryPath.batch(key) + EntryPath.storedSuffix + EntryPath.frameSuffix
    }

    func prologue() throws -> [UInt8] {
        let name = EntryPath.prologue + EntryPath.frameSuffix
        guard let place = places[name]?.first else { return [] }
        return try tools.with { tools in
            try tools.decoder.prologue(try file.bytes(at: place, &tools.cipher), name)
        }
    }

    func pieces(ofFileAt path: BytePath) throws -> StoredPieces {
        guard let places = places[path] else { throw VaultError(.manifestMismatch, path: path) }
        var number = 0
        return StoredPieces {
            guard number < places.count else { return nil }
            defer { number += 1 }
            return try tools.with { tools in
                let bytes = try file.bytes(at: places[number], &tools.cipher)
                return try tools.decoder.file(bytes, EntryPath.piece(path, number))
            }
        }
    }
}
