import JSONText
import SampleBatches

/// How rows are written as flat JSON objects.
struct FlatRowStyle: Sendable {
    /// Whether a row has its position in the source.
    let hasPosition: Bool
    /// The bytes at the end of each row.
    let ending: [UInt8]
    /// Whether measurements that Apple writes without a unit get the unit that they always have.
    let addsUnits: Bool

    /// A line of a file for each row.
    static let line = FlatRowStyle(hasPosition: true, ending: Array("}\n".utf8), addsUnits: false)
    /// A member of an array for each row, followed by a comma and a newline.
    static let member = FlatRowStyle(hasPosition: false, ending: Array("},\n".utf8), addsUnits: true)

    /// The units of the measurements of activity summaries that have no attribute for their unit.
    private static let units = [
        ("appleMoveTime", "min"), ("appleExerciseTime", "min"), ("appleStandHours", "hr"),
    ]

    /// Returns the members to be added to the rows of a context, each after a comma.
    func addition(to context: BatchContext, of element: String) -> [UInt8] {
        guard addsUnits, element == "ActivitySummary" else { return [] }
        let names = context.slots.map(\.name)
        var text: [UInt8] = []
        for (name, unit) in Self.units where names.contains(name) && !names.contains(name + "Unit") {
            text += Array(",\"\(name)Unit\":\"\(unit)\"".utf8)
        }
        return text
    }
}
