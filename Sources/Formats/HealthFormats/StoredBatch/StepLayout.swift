import ByteText
import SampleBatches

/// The steps that read the values of rows, for each context.
struct StepLayout: Sendable {
    /// The steps of all contexts, one context after another.
    private(set) var steps: [Step] = []
    /// For each context, the index of its first step; then the total number of steps.
    private(set) var ends = [0]

    /// How a value is read.
    struct Step: Sendable, Hashable {
        /// The number of the column; -1 if the batch has no column of that name.
        let column: Int
        /// For an instant, the range that can be written with its offset; nil for a text.
        let instants: Range<Int>?
        /// For an instant, the offset that it is written with.
        let offsetMinutes: Int
        /// Whether the instant or day determines the span of the row.
        let isStart: Bool
        /// Whether a text must be a string.
        let isEnclosed: Bool
    }

    /// Determines the steps of contexts for columns with these names.
    init(_ contexts: [BatchContext], _ names: [ExactName]) {
        let numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
        for context in contexts {
            for column in context.columns {
                let name = ExactName(context.slots[column.slot].name)
                steps.append(Self.step(column, context, numbers[name] ?? -1))
            }
            ends.append(steps.count)
        }
    }

    private static func step(
        _ column: BatchContext.Column, _ context: BatchContext, _ number: Int
    ) -> Step {
        switch context.slots[column.slot] {
        case .time(_, let offsetMinutes):
            Step(
                column: number, instants: Timestamp.writable(offsetMinutes: offsetMinutes),
                offsetMinutes: offsetMinutes, isStart: column.slot == context.startSlot, isEnclosed: false)
        case .enclosed:
            Step(column: number, instants: nil, offsetMinutes: 0, isStart: false, isEnclosed: true)
        case .text, .constant:
            Step(
                column: number, instants: nil, offsetMinutes: 0,
                isStart: column.slot == context.startTextSlot, isEnclosed: false)
        }
    }

    /// The number of contexts.
    var contextCount: Int { ends.count - 1 }

    /// Returns the steps of a context.
    func steps(of context: Int) -> ArraySlice<Step> { steps[ends[context]..<ends[context + 1]] }
}
