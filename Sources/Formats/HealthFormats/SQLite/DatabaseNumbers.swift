import HealthModel
import SampleBatches

/// The numbers of rows that other rows refer to.
struct DatabaseNumbers {
    /// Number of samples so far.
    var samples = 0
    var types: [TypeName: Int] = [:]
    private(set) var origins: [DatabaseRows.Origin: Int] = [:]
    private(set) var metadata: [[DatabaseRows.MetadataEntry]: Int] = [:]
    private var sources: [HashedBytes: Int] = [:]
    private var devices: [HashedBytes: Int] = [:]
    private var lastOrigin = 0
    private var lastMetadata = 0
    private var lastSource = 0
    private var lastDevice = 0
    private var lastRows = [Int](repeating: 0, count: ElementTable.all.count)

    /// The maximum number of rows of a kind to remember; beyond it, all are forgotten and may be inserted again.
    ///
    /// Real exports have a few thousand. An untrusted export may have a new one for each sample.
    private static let most = 1 << 14

    /// Adds a new origin and returns its number.
    mutating func add(_ origin: DatabaseRows.Origin) -> Int {
        if origins.count >= Self.most { origins = [:] }
        lastOrigin += 1
        origins[origin] = lastOrigin
        return lastOrigin
    }

    /// Adds new metadata and returns its number.
    mutating func add(_ entries: [DatabaseRows.MetadataEntry]) -> Int {
        if metadata.count >= Self.most { metadata = [:] }
        lastMetadata += 1
        metadata[entries] = lastMetadata
        return lastMetadata
    }

    /// Returns the number of a source, adding the source if it is new.
    mutating func number(ofSource name: [UInt8], _ statements: inout DatabaseStatements) throws -> Int {
        let key = HashedBytes(name)
        if let known = sources[key] { return known }
        if sources.count >= Self.most { sources = [:] }
        lastSource += 1
        sources[key] = lastSource
        try statements.addSource(lastSource, name)
        return lastSource
    }

    /// Returns the number of a device, adding the device if it is new.
    mutating func number(ofDevice text: [UInt8], _ statements: inout DatabaseStatements) throws -> Int {
        let key = HashedBytes(text)
        if let known = devices[key] { return known }
        if devices.count >= Self.most { devices = [:] }
        lastDevice += 1
        devices[key] = lastDevice
        try statements.addDevice(lastDevice, text)
        return lastDevice
    }

    /// Returns the number for a new row of an element's table.
    mutating func next(ofTable table: Int) -> Int {
        lastRows[table] += 1
        return lastRows[table]
    }
}

/// An element and sample type, compared as bytes.
struct TypeName: Hashable {
    let element: ExactName
    let typeName: ExactName

    var type: String { typeName.text }

    init(element: String, type: String) {
        self.element = ExactName(element)
        typeName = ExactName(type)
    }
}

extension SampleBatch.Key {
    /// Whether the values of its samples can be added up.
    var isCumulative: Bool {
        element == "Record" && AnySampleType(type).aggregationStyle == .cumulative
    }
}
