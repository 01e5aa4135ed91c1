import HealthArchive
public import HealthFHIR
public import HealthModel
public import SampleBatches
public import SystemIO

/// A processor that writes the resources of each batch to a file of newline-delimited JSON.
///
/// ```swift
/// let session = try await exporter.session(
///     withId: BulkExportSessionIdentifier("fhir"), for: [.heartRate, .stepCount], using: .fhir(into: "resources"))
/// for try await path in try session.start() { print(path) }
/// ```
///
/// Files are named after their batches, so that a batch that is processed again replaces its file.
public struct FHIRBatchProcessor: BatchProcessor {
    /// The processor's name in the state of a session.
    public let identifier: String
    private let folder: BytePath
    private let mapper: FHIRMapper

    /// Creates a processor that writes files into a folder, which must exist.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - mapper: Makes the resources.
    ///   - identifier: The processor's name in the state of a session. Give another folder, another person or other codes
    ///     another name: a session is not continued under a name that it was not begun with, so that no file is missing
    ///     in the new folder, and no two files have different codes.
    public init(
        into folder: BytePath, _ mapper: FHIRMapper = FHIRMapper(), identifier: String = "fhir"
    ) {
        self.folder = folder
        self.mapper = mapper
        self.identifier = identifier
    }

    /// Writes the resources of a batch.
    ///
    /// - Returns: The path of the file.
    public func process(_ batch: SampleBatch, of sampleType: AnySampleType) throws -> BytePath {
        var text: [UInt8] = []
        for resource in mapper.resources(of: batch).resources {
            text += resource.json
            text.append(UInt8(ascii: "\n"))
        }
        let name = BytePath(
            bytes: EntryPath.batch(batch.key).bytes.map { $0 == UInt8(ascii: "/") ? 0x2d : $0 })
        let file = name + ".ndjson"
        try OpenFolder(opening: folder).replaceFile(file, with: text)
        return folder / file
    }
}

extension BatchProcessor where Self == FHIRBatchProcessor {
    /// The processor that writes FHIR resources to files in a folder.
    public static func fhir(
        into folder: BytePath, _ mapper: FHIRMapper = FHIRMapper(), identifier: String = "fhir"
    ) -> FHIRBatchProcessor {
        FHIRBatchProcessor(into: folder, mapper, identifier: identifier)
    }
}
