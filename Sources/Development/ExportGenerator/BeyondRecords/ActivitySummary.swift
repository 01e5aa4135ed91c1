import CivilTime

/// The three rings of one day, counted back from the day before the export.
struct ActivitySummary: NumberedElement {
    private let context: ExportContext
    private let instant: Int
    private let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        self.context = context
        chance = context.chance(.activitySummary, index)
        instant = context.span.upperBound - (context.amounts.activitySummaries - index) * secondsPerDay
    }

    func append(to stream: inout XMLStream) {
        var chance = chance
        stream.element("ActivitySummary") { summary in
            summary.attribute("dateComponents", "\(context.time(at: instant).day)")
            let energy = FixedPoint(thousandths: 120_000...980_000, digits: 3, from: &chance)
            summary.attribute("activeEnergyBurned", energy)
            summary.attribute("activeEnergyBurnedGoal", 450)
            summary.attribute("activeEnergyBurnedUnit", "kcal")
            // Documents of version 11 use names that only later versions declare.
            if context.version >= .v11 {
                summary.attribute("appleMoveTime", chance.below(120))
                summary.attribute("appleMoveTimeGoal", 0)
            }
            summary.attribute("appleExerciseTime", chance.below(95))
            summary.attribute("appleExerciseTimeGoal", 30)
            summary.attribute("appleStandHours", chance.below(17))
            summary.attribute("appleStandHoursGoal", 12)
        }
    }
}
