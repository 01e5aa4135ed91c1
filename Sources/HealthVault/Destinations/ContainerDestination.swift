import HealthModel
import VaultContainer
import VaultCrypto

/// A container, sealed as the entries come.
final class ContainerDestination: ExportDestination {
    let form = ExportForm.stored

    private let header: HeaderDerivation
    private let replacing: Bool
    private let temporary: String
    private var writer: ContainerWriter?
    private var hasHeader = false
    private(set) var size = 0

    /// Starts a container; the key is derived from the passphrase beside everything else.
    init(
        _ path: String, replacing: Bool, passphrase: consuming Passphrase, iterations: Int, tool: String,
        created: String, modified: Int, session: [UInt8]
    ) throws {
        try Target.check(file: path, replacing: replacing)
        try Target.clearUnfinished(file: path + ContainerWriter.temporarySuffix)
        self.replacing = replacing
        temporary = path + ContainerWriter.temporarySuffix
        let key = try VaultKey.new()
        var writer = try ContainerWriter(
            path: path, key: key, tool: tool, created: created, modified: modified)
        header = HeaderDerivation(key: key, passphrase: passphrase, iterations: iterations)
        try writer.add(EntryPath.session, session.span)
        self.writer = consume writer
    }

    /// Seconds that the key derivation took.
    var keyDerivationSeconds: Double { header.seconds }

    func add(_ entry: EncodedEntry) throws {
        var properties: [ContainerProperty] = []
        if let batch = entry.batch {
            properties = [
                ContainerProperty("element", batch.key.element), ContainerProperty("type", batch.key.type),
                ContainerProperty("span", batch.key.span), ContainerProperty("part", batch.key.part),
                ContainerProperty("count", batch.identity.count),
            ]
            if let first = batch.first, let last = batch.last {
                properties += [ContainerProperty("first", first.iso), ContainerProperty("last", last.iso)]
            }
            properties += [
                ContainerProperty("firstPosition", batch.firstPosition),
                ContainerProperty("lastPosition", batch.lastPosition),
            ]
        }
        try writer?.add(entry.name, entry.bytes.span, sha256: entry.sha256, properties: properties)
        size = writer?.payloadSize ?? 0
        if !hasHeader, let header = try header.finished() {
            try writer?.write(header)
            hasHeader = true
        }
    }

    /// A file's pieces are entries of their own; an empty file has one, which is empty.
    func endFile(_ path: String) throws {}

    func finish(manifest: [UInt8]) async throws {
        let header = try await header.value()
        guard var writer = writer.take() else { return }
        try writer.add(EntryPath.manifest, manifest.span)
        if !hasHeader { try writer.write(header) }
        size = try writer.finish(header, replacing: replacing)
    }

    func abandon() {
        writer = nil
        try? Target.clearUnfinished(file: temporary)
    }
}
