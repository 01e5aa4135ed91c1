package import AppleHealthExport
import ByteText
import DataCompression
package import SampleBatches

/// The counts for the manifest, collected during an export.
package struct ManifestTally {
    package var manifest = Manifest()
    private var spans: [SampleBatch.Key: Manifest.Span] = [:]
    private var fileChecksum = CRC32()
    private var sources: Set<ExactName> = []
    /// The time zones that samples name.
    package private(set) var zones = RecordedZones()

    /// Makes an empty tally.
    package init() {}

    /// Adds a batch; one that could not be written is listed as failed and not counted.
    package mutating func add(_ batch: BatchFacts, isWritten: Bool = true) {
        zones.add(batch.zones)
        guard isWritten else {
            manifest.failedBatches.append(
                Manifest.FailedBatch(key: batch.key, count: batch.identity.count))
            return
        }
        var key = batch.key
        key.part = 0
        var span = spans[key] ?? Manifest.Span(key: key)
        span.add(batch)
        spans[key] = span
        sources.formUnion(batch.sources)
        if !key.type.isEmpty {
            let name = Census.typeName(of: key.element, key.type)
            manifest.types[name, default: Manifest.Count()].written += batch.identity.count
        }
        for (path, count) in batch.census {
            manifest.elements[path, default: Manifest.Count()].written += count
        }
    }

    /// Adds the counts and oddities that the reader found in the document.
    package mutating func add(_ reader: DocumentReader) {
        for (path, count) in reader.census.counts {
            manifest.elements[path, default: Manifest.Count()].read += count
        }
        for (name, count) in reader.census.types {
            manifest.types[name, default: Manifest.Count()].read += count
        }
        manifest.documentType = reader.documentTypeVersion
        let oddities = reader.oddities
        manifest.missingFiles = reader.missingFiles.paths
        manifest.unknownElements = reader.census.unknown
        manifest.unknownAttributes = reader.census.unknownAttributes
        for (name, count) in [
            ("controlCharacters", oddities.controlCharacters),
            ("undefinedReferences", oddities.undefinedReferences),
            ("duplicateAttributes", oddities.duplicateAttributes),
            ("malformedBytes", oddities.malformedBytes),
            ("droppedComments", oddities.droppedComments),
            ("droppedInstructions", oddities.droppedInstructions),
            ("nestedDocuments", oddities.nestedDocuments),
            ("strayTexts", oddities.strayTexts), ("unreadableDates", oddities.unreadableDates),
            ("missingFiles", reader.missingFiles.count),
            ("unknownElements", manifest.unknownElements.values.total { $0 }),
            ("unknownAttributes", manifest.unknownAttributes.values.total { $0 }),
        ] where count > 0 {
            manifest.warnings[name] = count
        }
    }

    /// Adds a side file.
    package mutating func add(_ file: Manifest.File) {
        manifest.files.append(file)
        manifest.fingerprint.fileCount += 1
        manifest.fingerprint.fileLength += file.length
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: file.crc32 >> UInt32($0)) }
        fileChecksum.update(bytes.span)
        manifest.fingerprint.fileCRC32 = fileChecksum.value
    }

    /// Returns the manifest, with its spans in order.
    package mutating func finish() -> Manifest {
        manifest.sources = sources.sorted().map(\.text)
        // The keys are put in order, because moving a span counts references to all that it has.
        manifest.spans = spans.keys.sorted().compactMap { spans[$0] }
        spans = [:]
        return manifest
    }
}
