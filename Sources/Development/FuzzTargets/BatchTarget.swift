import ArchiveManifest
import HealthFormats
import SampleBatches

/// The fuzz targets for batches in both forms, and for the manifest.
enum BatchTarget: Sendable {
    /// Checks that an accepted stored batch has the same lines after it is written and read again, and the same identities
    /// without being assembled.
    @Sendable static func stored(_ input: [UInt8]) {
        var reader = StoredBatchReader()
        let read = try? reader.read(input)
        guard (try? reader.identity(of: input))?.sum == read?.identitySum() else {
            violated("identities are the same whether or not a batch is assembled")
        }
        guard let batch = read else { return }
        var writer = StoredBatchWriter()
        guard let again = try? reader.read(writer.write(batch)), text(again) == text(batch) else {
            violated("a batch that was read can be written and read again")
        }
        _ = try? batch.census()
    }

    /// Checks that accepted lines are the same after they are written and read again, and after they are stored.
    @Sendable static func lines(_ input: [UInt8]) {
        let key = SampleBatch.Key(element: "Record", type: "", span: "all", part: 1)
        guard let batch = try? NDJSONReader.read(input, key: key) else { return }
        let lines = text(batch)
        guard let again = try? NDJSONReader.read(lines, key: key), text(again) == lines else {
            violated("lines that were written can be read")
        }
        var writer = StoredBatchWriter()
        var reader = StoredBatchReader()
        guard let stored = try? reader.read(writer.write(batch)), text(stored) == lines else {
            violated("lines are the same after they were stored")
        }
    }

    /// Checks that an accepted manifest can be summed up.
    @Sendable static func manifest(_ input: [UInt8]) {
        guard let manifest = try? ManifestReader.read(input) else { return }
        _ = manifest.sampleCount
        _ = manifest.typeCount
        _ = manifest.files.reduce(0) { $0 + $1.length }
    }

    private static func text(_ batch: SampleBatch) -> [UInt8] {
        var writer = NDJSONWriter()
        var text: [UInt8] = []
        writer.write(batch, to: &text)
        return text
    }
}
