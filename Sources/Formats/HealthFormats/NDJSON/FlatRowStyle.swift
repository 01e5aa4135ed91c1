import JSONText
import SampleBatches

/// A style of writing rows as flat JSON objects.
struct FlatRowStyle: Sendable {
    /// Whether a row contains its position in the source.
    let hasPosition: Bool
    /// The bytes at the end of each row.
    let ending: [UInt8]
    /// Whether to add the fixed unit of measurements that Apple writes without one.
    let addsUnits: Bool

    /// Each row is a line of a file.
    static let line = FlatRowStyle(hasPosition: true, ending: Array("}\n".utf8), addsUnits: false)
    /// Each row is an element of an array, followed by a comma and a newline.
    static let member = FlatRowStyle(hasPosition: false, ending: Array("},\n".utf8), addsUnits: true)

    /// The units of measurements in activity summaries that have no unit attribute.
    private static let units = [
        ("appleMoveTime", "min"), ("appleExerciseTime", "min"), ("appleStandHours", "hr"),
    ]

    /// Returns the members to add to the rows of a context, each preceded by a comma.
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
