import ByteText
import Database
import SampleBatches

/// The statements that insert rows.
struct DatabaseStatements: ~Copyable {
    private var sample: Statement
    private var type: Statement
    private var source: Statement
    private var device: Statement
    private var origin: Statement
    private var metadataSet: Statement
    private var metadata: Statement
    private var about: Statement
    private var statistics: Statement
    private var elements: ElementStatements

    init(_ database: borrowing Database) throws {
        // A noncopyable value must be initialized completely or not at all.
        let sample = try database.prepare("INSERT INTO sample VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        let type = try database.prepare("INSERT INTO type VALUES (?,?,?,?,?)")
        let source = try database.prepare("INSERT INTO source VALUES (?,?)")
        let device = try database.prepare("INSERT INTO device VALUES (?,?)")
        let origin = try database.prepare("INSERT INTO origin VALUES (?,?,?,?,?,?,?,?)")
        let metadataSet = try database.prepare("INSERT INTO metadata_set VALUES (?)")
        let metadata = try database.prepare("INSERT INTO metadata VALUES (?,?,?,?)")
        let about = try database.prepare("INSERT INTO about VALUES (?,?,?)")
        let statistics = try database.prepare("INSERT INTO summary_statistics VALUES (?,?,?,?,?,?,?,?,?,?)")
        let manifest = try database.prepare("INSERT INTO manifest VALUES (?)")
        let notKept = try database.prepare("INSERT INTO not_kept VALUES (?,?)")
        let keptAsText = try database.prepare("INSERT INTO kept_as_text VALUES (?,?)")
        let elements = try ElementStatements(database)
        self.sample = sample
        self.type = type
        self.source = source
        self.device = device
        self.origin = origin
        self.metadataSet = metadataSet
        self.metadata = metadata
        self.about = about
        self.statistics = statistics
        self.manifest = manifest
        self.notKept = notKept
        self.keptAsText = keptAsText
        self.elements = elements
    }

    private var manifest: Statement
    private var notKept: Statement
    private var keptAsText: Statement

    /// The values of the last sample that rarely change; they stay bound.
    private var last = LastSample()

    private struct LastSample {
        var type: Int?
        var origin: Int?
        var metadata: Int?
        var isCopy: Bool?
        var hasText = false
        var hasOther = false
        var startDay: Int?
        var endDay: Int?
    }

    /// Adds a sample, whose number is the next one.
    mutating func addSample(
        _ type: Int, _ origin: Int, _ row: DatabaseRows.SampleRow, metadata: Int?,
        isCopy: Bool, text: [UInt8]?, other: [UInt8]?
    ) throws {
        if type != last.type { try sample.bind(integer: type, at: 1) }
        if origin != last.origin { try sample.bind(integer: origin, at: 2) }
        try sample.bind(row.start, at: 3)
        try sample.bind(row.end, at: 4)
        try sample.bind(row.created, at: 5)
        if let value = row.value { try sample.bind(real: value, at: 6) } else { try sample.bindNull(at: 6) }
        if text != nil || last.hasText { try sample.bind(text, at: 7) }
        if metadata != last.metadata { try sample.bind(metadata, at: 8) }
        try sample.bind(integer: row.position, at: 9)
        if isCopy != last.isCopy { try sample.bind(integer: isCopy ? 1 : 0, at: 10) }
        if other != nil || last.hasOther { try sample.bind(other, at: 11) }
        if row.startDay != last.startDay { try sample.bind(row.startDay, at: 12) }
        if row.endDay != last.endDay { try sample.bind(row.endDay, at: 13) }
        last = LastSample(
            type: type, origin: origin, metadata: metadata, isCopy: isCopy, hasText: text != nil,
            hasOther: other != nil, startDay: row.startDay, endDay: row.endDay)
        try sample.run()
    }

    mutating func addType(_ number: Int, _ texts: [String]) throws {
        try type.bind(integer: number, at: 1)
        for (place, text) in texts.enumerated() { try type.bind(Array(text.utf8), at: place + 2) }
        try type.run()
    }

    mutating func addSource(_ number: Int, _ name: [UInt8]) throws {
        try source.bind(integer: number, at: 1)
        try source.bind(name, at: 2)
        try source.run()
    }

    mutating func addDevice(_ number: Int, _ description: [UInt8]) throws {
        try device.bind(integer: number, at: 1)
        try device.bind(description, at: 2)
        try device.run()
    }

    mutating func addOrigin(_ number: Int, _ row: DatabaseRows.Origin, source: Int?, device: Int?) throws {
        try origin.bind(integer: number, at: 1)
        try origin.bind(source, at: 2)
        try origin.bind(row.version, at: 3)
        try origin.bind(device, at: 4)
        try origin.bind(row.unit, at: 5)
        for (index, offset) in [row.startOffset, row.endOffset, row.creationOffset].enumerated() {
            let text = offset.map { Array(Timestamp(seconds: 0, offsetMinutes: $0).offset.utf8) }
            try origin.bind(text, at: 6 + index)
        }
        try origin.run()
    }

    mutating func addMetadata(_ number: Int, _ entries: [DatabaseRows.MetadataEntry]) throws {
        try metadataSet.bind(integer: number, at: 1)
        try metadataSet.run()
        for (index, entry) in entries.enumerated() {
            try metadata.bind(integer: number, at: 1)
            try metadata.bind(integer: index, at: 2)
            try metadata.bind(entry.key, at: 3)
            try metadata.bind(entry.value, at: 4)
            try metadata.run()
        }
    }

    mutating func addAbout(_ element: [UInt8], _ attribute: [UInt8], _ value: [UInt8]) throws {
        try about.bind(element, at: 1)
        try about.bind(attribute, at: 2)
        try about.bind(value, at: 3)
        try about.run()
    }

    mutating func addElement(
        _ row: DatabaseRows.ElementRow, _ identifier: Int, sample: Int, parent: Int?, metadata: Int?
    ) throws {
        try elements.add(row, identifier, sample: sample, parent: parent, metadata: metadata)
    }

    mutating func addStatistics(
        _ type: Int, _ unit: [UInt8]?, _ values: SampleStatistics, isSum: Bool
    ) throws {
        try statistics.bind(integer: type, at: 1)
        try statistics.bind(unit, at: 2)
        try statistics.bind(integer: values.count, at: 3)
        try statistics.bind(integer: values.copies, at: 4)
        let hasValues = values.values > 0
        let numbers = [
            hasValues ? values.minimum : nil, hasValues ? values.maximum : nil,
            hasValues ? values.sum / Double(values.values) : nil, hasValues && isSum ? values.sum : nil,
        ]
        for (index, number) in numbers.enumerated() {
            if let number {
                try statistics.bind(real: number, at: 5 + index)
            } else {
                try statistics.bindNull(at: 5 + index)
            }
        }
        try statistics.bind(values.first <= values.last ? values.first : nil, at: 9)
        try statistics.bind(values.first <= values.last ? values.last : nil, at: 10)
        try statistics.run()
    }

    mutating func addFacts(_ text: [UInt8], _ losses: FormatLosses) throws {
        try manifest.bind(text, at: 1)
        try manifest.run()
        for (kind, count) in losses.notKept.sorted(by: { $0.key < $1.key }) {
            try notKept.bind(Array(kind.utf8), at: 1)
            try notKept.bind(integer: count, at: 2)
            try notKept.run()
        }
        for (kind, count) in losses.asText.sorted(by: { $0.key < $1.key }) {
            try keptAsText.bind(Array(kind.utf8), at: 1)
            try keptAsText.bind(integer: count, at: 2)
            try keptAsText.run()
        }
    }
}

extension Statement {
    mutating func bind(_ number: Int?, at index: Int) throws(DatabaseError) {
        if let number { try bind(integer: number, at: index) } else { try bindNull(at: index) }
    }

    mutating func bind(_ text: [UInt8]?, at index: Int) throws(DatabaseError) {
        if let text { try bind(text: text.span, at: index) } else { try bindNull(at: index) }
    }
}
