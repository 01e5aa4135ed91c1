import AppleHealthExport
import ByteText
import Database
import HealthModel
import SampleBatches
import SystemIO

/// Inserts side files: those in a known format as rows, all others as blobs.
struct DatabaseFiles: ~Copyable {
    private let database: FileDatabase
    private var number = 0
    private var file: Statement
    private var route: Statement
    private var point: Statement
    private var recording: Statement
    private var voltage: Statement
    private var resource: Statement

    init(_ database: FileDatabase) throws {
        let file = try database.connection.prepare("INSERT INTO file VALUES (?,?,?,?)")
        let route = try database.connection.prepare("INSERT INTO route VALUES (?,?)")
        let point = try database.connection.prepare("INSERT INTO route_point VALUES (?,?,?,?,?,?,?,?,?,?,?)")
        let recording = try database.connection.prepare(
            "INSERT INTO electrocardiogram VALUES (?,?,?,?,?,?,?,?,?)")
        let voltage = try database.connection.prepare("INSERT INTO electrocardiogram_voltage VALUES (?,?,?)")
        let resource = try database.connection.prepare("INSERT INTO clinical_resource VALUES (?,?)")
        self.database = database
        self.file = file
        self.route = route
        self.point = point
        self.recording = recording
        self.voltage = voltage
        self.resource = resource
    }

    /// Adds a file.
    ///
    /// - Returns: How it was inserted.
    mutating func add(_ described: FormatFile, _ read: FileReading) throws -> Outcome {
        number += 1
        let kind = SideFileKind(described.name)
        try file.bind(integer: number, at: 1)
        try file.bind(JSONEscaping.repaired(described.name.bytes), at: 2)
        try file.bind(integer: described.length, at: 3)
        guard kind != .other, let bytes = try described.bytes(read) else {
            guard try addContent(described, read) else { return .withoutContent }
            return kind == .other ? .complete : .unparsed
        }
        try file.bindNull(at: 4)
        switch kind {
        case .route:
            if let route = RouteReader.route(in: bytes.span), route.fitsColumns {
                try file.run()
                try add(route)
                return .complete
            }
        case .electrocardiogram:
            if let read = try? Electrocardiogram(csv: bytes, path: "\(described.name)") {
                try file.run()
                try add(read)
                return .complete
            }
        case .clinicalResource:
            var reader = JSONReader(bytes)
            if (try? reader.skip()) != nil, (try? reader.finish()) != nil {
                try file.run()
                try resource.bind(integer: number, at: 1)
                try resource.bind(bytes, at: 2)
                try resource.run()
                return .complete
            }
        case .other: break
        }
        try file.bind(blob: bytes.span, at: 4)
        try file.run()
        return .unparsed
    }

    /// How a file was inserted.
    enum Outcome: Sendable {
        /// As a row of its own kind, or with its content.
        case complete
        /// With its content, because it is too large to parse or lacks the format that its name implies.
        case unparsed
        /// By name and length alone, because SQLite stores no content of its size.
        case withoutContent
    }

    /// The length in bytes of the largest blob that SQLite stores.
    private static let largestBlob = 1_000_000_000

    /// Inserts a file with its content, or without if that is too large; returns whether it has it.
    private mutating func addContent(_ described: FormatFile, _ read: FileReading) throws -> Bool {
        guard described.length <= Self.largestBlob else {
            try file.bindNull(at: 4)
            try file.run()
            return false
        }
        // The length was declared by whoever made the archive, and space is reserved for all of it.
        var length = LengthSum()
        try read { length.add($0.count) }
        guard length.value == described.length else { throw FormatError(.inconsistent) }
        try file.bind(zeroBlob: described.length, at: 4)
        try file.run()
        var blob = try database.connection.writeBlob(table: "file", column: "content", row: number)
        try read { piece in try blob.write(piece.span) }
        try blob.close()
        return true
    }

    private mutating func add(_ route: RouteReader.Route) throws {
        try self.route.bind(integer: number, at: 1)
        try self.route.bind(route.name, at: 2)
        try self.route.run()
        let columns: [RouteReader.Value] = [
            .latitude, .longitude, .elevation, .time, .speed, .course, .horizontalAccuracy,
            .verticalAccuracy,
        ]
        for (index, values) in route.points.enumerated() {
            try point.bind(integer: number, at: 1)
            try point.bind(integer: index, at: 2)
            for (column, name) in columns.enumerated() {
                if name == .time {
                    try point.bind(values[name], at: 3 + column)
                } else if let text = values[name],
                    let value = DecimalText.number(ofToken: text.span, text.indices)
                {
                    try point.bind(real: value, at: 3 + column)
                } else {
                    try point.bindNull(at: 3 + column)
                }
            }
            try point.bind(integer: values.segment, at: 3 + columns.count)
            try point.run()
        }
    }

    private mutating func add(_ read: Electrocardiogram) throws {
        try recording.bind(integer: number, at: 1)
        let texts: [String?] = [
            read.recordedDate?.iso, read.classificationText, read.symptoms.joined(separator: ", "),
            read.softwareVersion, read.device,
        ]
        for (index, text) in texts.enumerated() {
            try recording.bind(text.map { Array($0.utf8) }, at: 2 + index)
        }
        if let frequency = read.samplingFrequency {
            try recording.bind(real: frequency, at: 7)
        } else {
            try recording.bindNull(at: 7)
        }
        try recording.bind(read.lead.map { Array($0.utf8) }, at: 8)
        try recording.bind(Array("uV".utf8), at: 9)
        try recording.run()
        for (index, value) in read.voltages.microvolts.enumerated() {
            try voltage.bind(integer: number, at: 1)
            try voltage.bind(integer: index, at: 2)
            try voltage.bind(real: value, at: 3)
            try voltage.run()
        }
    }
}

extension RouteReader.Route {
    /// Whether columns can represent the whole route.
    fileprivate var fitsColumns: Bool {
        let texts = [name ?? []] + points.map { $0[.time] ?? [] }
        return points.allSatisfy(\.isPlain) && texts.allSatisfy { JSONEscaping.isWellFormed($0.span) }
    }
}
