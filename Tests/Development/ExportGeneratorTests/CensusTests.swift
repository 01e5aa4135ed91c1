import ExportGenerator
import Testing

@Suite("The census")
struct CensusTests {
    private static let versions: [GeneratedExport.Options.DTDVersion?] =
        [nil] + GeneratedExport.Options.DTDVersion.allCases

    @Test("equals what an independent counter finds, for every version", arguments: versions)
    func countsOfVersions(version: GeneratedExport.Options.DTDVersion?) {
        expectHonestCensus(export { $0.dtdVersion = version })
    }

    @Test(
        "equals what an independent counter finds, for every shape",
        arguments: GeneratedExport.Options.Shape.allCases
    )
    func countsOfShapes(shape: GeneratedExport.Options.Shape) {
        expectHonestCensus(export { $0.shape = shape })
    }

    @Test("is the one that writing returns")
    func writingReturnsIt() {
        let export = export()
        #expect(export.writeXML { _ in } == export.census())
    }

    @Test("has every kind of element that version 14 knows")
    func completeness() {
        let elements = export { $0.xmlBytes = 1_000_000 }.census().elements
        let expected = [
            "ExportDate", "Me", "Record", "Record/MetadataEntry", "Record/HeartRateVariabilityMetadataList",
            "Record/HeartRateVariabilityMetadataList/InstantaneousBeatsPerMinute", "Correlation",
            "Correlation/Record", "Workout", "Workout/MetadataEntry", "Workout/WorkoutEvent",
            "Workout/WorkoutStatistics", "Workout/WorkoutActivity", "Workout/WorkoutActivity/MetadataEntry",
            "Workout/WorkoutActivity/WorkoutEvent", "Workout/WorkoutActivity/WorkoutStatistics",
            "Workout/WorkoutRoute", "Workout/WorkoutRoute/FileReference", "ActivitySummary",
            "ClinicalRecord", "Audiogram", "Audiogram/SensitivityPoint", "VisionPrescription",
            "VisionPrescription/RightEye", "VisionPrescription/LeftEye", "VisionPrescription/Attachment",
        ]
        for path in expected { #expect(elements[path, default: 0] > 0, "\(path)") }
    }

    @Test("counts the records of a correlation twice: inside it and at the top level")
    func correlatedRecords() {
        let census = export().census()
        let systolic = census.recordTypes["HKQuantityTypeIdentifierBloodPressureSystolic"]
        let diastolic = census.recordTypes["HKQuantityTypeIdentifierBloodPressureDiastolic"]
        #expect(systolic == census.elements["Correlation"])
        #expect(diastolic == census.elements["Correlation"])
        #expect(census.elements["Correlation/Record"] == (systolic ?? 0) + (diastolic ?? 0))
    }

    private func expectHonestCensus(_ export: GeneratedExport) {
        let census = export.census()
        let counter = NaiveCounter(export.xml)
        #expect(counter.mistakes.isEmpty)
        #expect(census.elements == counter.elements)
        #expect(census.recordTypes == counter.recordTypes)
        #expect(census.elements["Record"] == census.recordTypes.values.reduce(0, +))
    }
}
