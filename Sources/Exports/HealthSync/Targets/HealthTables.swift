import ByteText
import HealthModel
import HealthQueries
import Tables

/// The tables of a database that is kept in step with exports: the samples, and answers that are computed of them.
struct HealthTables: Sendable {
    let samples: SQLTable
    let anchors: SQLTable
    let people: SQLTable
    let answers: [SQLTable]

    init(in dialect: SQLDialect) {
        func column(_ name: String, _ type: SQLType, isRequired: Bool = false) -> SQLColumn {
            SQLColumn(name, type, isRequired: isRequired, Self.comments[name] ?? "")
        }
        let times = ["start_date", "end_date", "creation_date"].map { column($0, .instant) }
        let dialectTimes = dialect == .sqlite ? ["start_seconds", "end_seconds"] : ["offset_minutes"]
        let texts = ["value_text", "unit", "source_name", "source_version", "device"]
        samples = SQLTable(
            "health_samples", key: ["person", "id"],
            index: ["type", dialect == .sqlite ? "start_seconds" : "start_date"], isSorted: false,
            "The samples as they were recorded: a watch and a phone may both have counted the same steps.",
            [
                column("person", .text), column("id", .identifier), column("type", .text, isRequired: true),
                column("element", .text, isRequired: true),
            ] + times + dialectTimes.map { column($0, .integer) }
                + [
                    SQLColumn(
                        "value", .real,
                        "The value in this unit; its sum counts twice what two devices have both recorded: "
                            + "health_daily_values has sums that do not.")
                ] + texts.map { column($0, .text) }
                + ["attributes", "metadata", "content"].map { column($0, .object) })
        anchors = SQLTable(
            "health_anchors", key: ["person", "element", "type", "span", "page"], isSorted: false,
            "What healthvault has written here, so that it knows what has changed; not for anybody else.",
            [
                column("person", .text),
                SQLColumn("identifier", .text, isRequired: true, "The type of the samples."),
                column("element", .text), SQLColumn("type", .text, "Their attribute type."),
                SQLColumn("span", .text, "A span of time."),
                SQLColumn("page", .integer, "The number of the page in its span."),
                SQLColumn("count", .integer, isRequired: true, "How many identities the page has."),
                SQLColumn("sum", .text, isRequired: true, "The sum of the identities."),
                SQLColumn(
                    "identities", .bytes, isRequired: true, "The identities of samples, 16 bytes each."),
            ])
        people = SQLTable(
            "health_people", key: ["person"], "The people whose data this is.",
            [
                column("person", .text),
                SQLColumn(
                    "export_seconds", .integer,
                    "When the last export was made that was applied here, in seconds since 1970."),
                SQLColumn("content", .text, "What tells the content of that export."),
                SQLColumn(
                    "zone", .text,
                    "The zone of days and nights"
                        + (dialect == .postgreSQL ? ", for AT TIME ZONE" : "")
                        + "; null while the other tables are not in step with health_samples."),
            ])
        answers = [
            AnswerTables.dailyValues().table, AnswerTables.nights(.utc).table, AnswerTables.workouts().table,
            AnswerTables.electrocardiograms(.utc).table,
        ]
    }

    /// All tables.
    var all: [SQLTable] { [samples, anchors, people] + answers }

    /// Returns the statements that make up for tables that someone has removed: nothing is there of what the others tell.
    ///
    /// - Parameters:
    ///   - missing: The names of the tables that were missing.
    ///   - place: Returns a table as statements name it.
    func forgetting(_ missing: Set<String>, at place: (SQLTable) -> String) -> [String] {
        if missing.contains(samples.name) {
            return ([anchors, people] + answers).map { "DELETE FROM \(place($0))" }
        }
        return missing.isDisjoint(with: answers.map(\.name))
            ? [] : ["UPDATE \(place(people)) SET zone = NULL"]
    }

    /// What the columns of several tables have, by their names.
    static let comments = [
        "person": "The person, see health_people.",
        "id": "The identifier of the sample, the same in all exports and forms.",
        "type": "The identifier of the type in HealthKit.",
        "element": "The element of the export.",
        "start_date": "When it starts.",
        "end_date": "When it ends.",
        "creation_date": "When it was recorded.",
        "start_seconds": "When it starts, in seconds since 1970.",
        "end_seconds": "When it ends, in seconds since 1970.",
        "offset_minutes": "The offset from UTC of the start in the export, in minutes; east is positive.",
        "value_text": "The value if it is no number, such as a category.",
        "unit": "The unit of the values.",
        "source_name": "The app or the device that recorded it.",
        "source_version": "The version of that app or device.",
        "device": "The hardware that recorded it.",
        "attributes": "The other attributes, a JSON object.",
        "metadata": "The metadata, a JSON object; an array for a key that occurs several times.",
        "content": "Everything else that is nested in it, a JSON object.",
        "day": "The day in the zone of health_people.",
        "count": "The number of samples that count.",
        "sum":
            "The sum, to which one source at each moment contributes; null for types that are not added up.",
        "average": "The average; null for types that are added up.",
        "minimum": "The smallest value; null for types that are added up.",
        "maximum": "The largest value; null for types that are added up.",
        "is_partial": "Whether the export was made before the day had ended.",
        "night": "The day on which the night ends, in the zone of health_people.",
        "asleep_seconds": "The time asleep, whatever the stage.",
        "core_seconds": "The time in core sleep.",
        "deep_seconds": "The time in deep sleep.",
        "rem_seconds": "The time in REM sleep.",
        "unspecified_seconds": "The time asleep in a stage that is not known.",
        "awake_seconds": "The time awake between falling asleep and getting up.",
        "in_bed_seconds": "The time in bed without anything more precise.",
        "gap_seconds": "The time in between for which nothing is recorded.",
        "sources": "The apps and devices that recorded it.",
        "activity": "The kind of workout.",
        "duration_seconds": "How many seconds it took, without pauses.",
        "distance": "The distance in the unit of distance_unit.",
        "distance_unit": "The unit of distance.",
        "energy": "The active energy in the unit of energy_unit.",
        "energy_unit": "The unit of energy.",
        "file": "The path of its file in the export.",
        "recorded_date": "When it was recorded.",
        "classification": "The classification; null if its text is in a language that is not understood.",
        "classification_text": "The classification in the words of the export.",
        "symptoms": "The symptoms in the words of the export.",
        "sampling_frequency": "How many voltages were measured in a second, in hertz.",
        "software_version": "The version of the software of the device.",
        "lead": "The lead.",
        "microvolts": "The voltages, one after the other.",
    ]
}
