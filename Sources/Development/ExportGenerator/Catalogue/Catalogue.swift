/// All record types that an export may contain, in the order in which it lists them.
///
/// The weights follow public counts of real exports: heart rate, energy, steps, distance and physical effort make
/// up about three quarters. Blood pressure is missing here, because its records occur again inside correlations.
enum Catalogue {
    static func profiles(_ context: ExportContext) -> [RecordProfile] {
        let all =
            bodyTypes + heartTypes + activityTypes + nutritionTypes + mobilityTypes
            + trainingTypes + surroundingsTypes + sleepTypes(context) + categoryTypes + symptomTypes
        return all.filter { $0.since <= context.version.lastYear }
    }
}
