import Database
import SampleBatches

/// A table for the elements of one name, with a column for each of their attributes.
struct ElementTable: Sendable {
    /// The name of the table.
    let name: String
    /// The names of its elements.
    let elements: [String]
    /// The tables of the elements that enclose them; empty for samples themselves.
    let parents: [String]
    /// The attributes that have columns.
    let attributes: [String]
    /// Whether a column contains the name of the element, because the table is for several.
    var namesElement: Bool { elements.count > 1 }
    /// The nested element whose only attribute has a column in this table.
    let reference: (element: String, attribute: String)?

    private init(
        _ name: String, _ elements: [String], in parents: [String] = [], _ attributes: [String],
        reference: (element: String, attribute: String)? = nil
    ) {
        self.name = name
        self.elements = elements
        self.parents = parents
        self.attributes = attributes
        self.reference = reference
    }

    /// The attributes with a column in the table of all samples.
    static let sampleAttributes: Set = [
        "type", "startDate", "endDate", "creationDate", "value", "unit", "sourceName", "sourceVersion",
        "device",
    ]

    /// The name of the table of all samples, which all other tables refer to.
    static let sample = "sample"

    private static let eye = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD",
        "baseCurve", "diameter",
    ].flatMap { [$0, $0 + "Unit"] }

    /// The tables, each after those that it refers to.
    static let all: [ElementTable] = [
        ElementTable(
            "workout", ["Workout"],
            [
                "workoutActivityType", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
                "totalEnergyBurned", "totalEnergyBurnedUnit", "totalFlightsClimbed",
                "totalFlightsClimbedUnit", "totalSwimmingStrokeCount", "totalSwimmingStrokeCountUnit",
            ]),
        ElementTable(
            "activity_summary", ["ActivitySummary"],
            [
                "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal",
                "appleStandHours", "appleStandHoursGoal",
            ]),
        ElementTable(
            "clinical_record", ["ClinicalRecord"],
            ["identifier", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath"]),
        ElementTable(
            "vision_prescription", ["VisionPrescription"], ["dateIssued", "expirationDate", "brand"]),
        ElementTable(
            "workout_activity", ["WorkoutActivity"], in: [sample],
            ["uuid", "startDate", "endDate", "duration", "durationUnit"]),
        ElementTable(
            "workout_event", ["WorkoutEvent"], in: [sample, "workout_activity"],
            ["type", "date", "duration", "durationUnit"]),
        ElementTable(
            "workout_statistics", ["WorkoutStatistics"], in: [sample, "workout_activity"],
            ["type", "startDate", "endDate", "average", "minimum", "maximum", "sum", "unit"]),
        ElementTable(
            "workout_route", ["WorkoutRoute"], in: [sample],
            ["sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate"],
            reference: ("FileReference", "path")),
        ElementTable(
            "heartbeat", ["InstantaneousBeatsPerMinute"], in: [sample], ["bpm", "time"]),
        ElementTable(
            "correlation_member", ["Record"], in: [sample],
            [
                "type", "sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate",
                "value", "unit",
            ]),
        ElementTable(
            "sensitivity_point", ["SensitivityPoint"], in: [sample],
            ["frequencyValue", "frequencyUnit"]
                + ["left", "right"].flatMap { side in
                    [
                        "Value", "Unit", "Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound",
                    ].map { "\(side)Ear\($0)" }
                }),
        ElementTable("prescription_eye", ["RightEye", "LeftEye"], in: [sample], eye),
        ElementTable("attachment", ["Attachment"], in: [sample], ["identifier"]),
    ]

    /// Returns the number of the table for an element nested in another; nil if there is none.
    ///
    /// - Parameter parent: The table of the enclosing element.
    static func number(of element: String, in parent: String) -> Int? {
        numbers[Place(element: element, parent: parent)]
    }

    /// Returns the number of the separate table for samples of an element; nil if there is none.
    static func number(ofSamples element: String) -> Int? { number(of: element, in: "") }

    private struct Place: Hashable {
        let element: String
        let parent: String
    }

    private static let numbers: [Place: Int] = {
        var numbers: [Place: Int] = [:]
        for (number, table) in all.enumerated() {
            for element in table.elements {
                for parent in table.parents.isEmpty ? [""] : table.parents {
                    numbers[Place(element: element, parent: parent)] = number
                }
            }
        }
        return numbers
    }()

    /// The element that only wraps the elements of a table.
    static let wrapper = "HeartRateVariabilityMetadataList"

    /// Whether its rows are samples themselves.
    var isSample: Bool { parents.isEmpty }
    /// The column that refers to the row of an enclosing element that is not a sample; nil if there is none.
    var parentColumn: String? { parents.count > 1 ? "activity_id" : nil }

    /// The columns, in the order that they are bound.
    var columns: [(name: String, type: String)] {
        var columns: [(String, String)] = [
            isSample
                ? ("sample_id", "INTEGER PRIMARY KEY REFERENCES sample")
                : ("sample_id", "INTEGER NOT NULL REFERENCES sample")
        ]
        if !isSample {
            columns.insert(("id", "INTEGER PRIMARY KEY"), at: 0)
            if let parentColumn { columns.append((parentColumn, "INTEGER REFERENCES workout_activity")) }
            columns.append(("number", "INTEGER NOT NULL"))
        }
        if namesElement { columns.append(("element", "TEXT NOT NULL")) }
        columns += attributes.map { (ColumnName.snakeCase($0), Self.columnType($0, in: elements[0])) }
        if reference != nil { columns.append(("file_path", "TEXT")) }
        if !isSample { columns += [("metadata_id", "INTEGER REFERENCES metadata_set"), ("other", "TEXT")] }
        return columns
    }

    private static func columnType(_ attribute: String, in element: String) -> String {
        AttributeKind(of: attribute, in: element) == .measurement ? "REAL" : "TEXT"
    }
}

/// The statements that insert rows into the tables of elements.
struct ElementStatements: ~Copyable {
    /// A box for a statement, because an array cannot store noncopyable values.
    private final class Insertion {
        var statement: Statement

        init(_ statement: consuming Statement) { self.statement = statement }
    }

    private let insertions: [Insertion]

    init(_ database: borrowing Database) throws {
        var insertions: [Insertion] = []
        for table in ElementTable.all {
            let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ",")
            insertions.append(
                Insertion(try database.prepare("INSERT INTO \(table.name) VALUES (\(marks))")))
        }
        self.insertions = insertions
    }

    mutating func add(
        _ row: DatabaseRows.ElementRow, _ identifier: Int, sample: Int, parent: Int?, metadata: Int?
    ) throws {
        let table = ElementTable.all[row.table]
        let insertion = insertions[row.table]
        var index = 1
        func bind(_ value: DatabaseValue) throws {
            try insertion.statement.bind(value, at: index)
            index += 1
        }
        if !table.isSample { try bind(.integer(identifier)) }
        try bind(.integer(sample))
        if table.parentColumn != nil { try bind(parent.map { .integer($0) } ?? .null) }
        if !table.isSample { try bind(.integer(row.number)) }
        for value in row.values { try bind(value) }
        if !table.isSample {
            try bind(metadata.map { .integer($0) } ?? .null)
            try bind(row.other.map { .text($0) } ?? .null)
        }
        try insertion.statement.run()
    }
}
