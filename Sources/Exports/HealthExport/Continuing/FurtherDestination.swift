import ArchiveWriting
import HealthArchive
import SystemIO
import VaultContainer

/// A container that continues others; entries that they contain are compared, not written.
final class FurtherDestination: ExportDestination {
    let form = ExportForm.stored
    private let container: ContainerDestination
    private let held: PredecessorContents
    private var heldBatches = 0

    init(_ container: ContainerDestination, held: PredecessorContents) {
        self.container = container
        self.held = held
    }

    var size: Int { container.size }
    var resumedBytes: Int { container.resumedBytes }
    var keyDerivationSeconds: Double { container.keyDerivationSeconds }

    func add(_ entry: EncodedEntry) throws -> Bool {
        guard try held.holds(entry) else { return try container.add(entry) }
        if entry.batch != nil { heldBatches += 1 }
        return true
    }

    func endFile(_ path: BytePath) throws { try container.endFile(path) }

    func finish(manifest: [UInt8]) async throws {
        try held.requireAll(heldBatches)
        try await container.finish(manifest: manifest)
    }

    func suspend(after failure: VaultError) async -> Bool { await container.suspend(after: failure) }

    func abandon() { container.abandon() }
}
