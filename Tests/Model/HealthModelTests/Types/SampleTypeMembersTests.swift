import HealthModel
import Testing

@Suite("Members of sample types")
struct SampleTypeMembersTests {
    @Test("are the same with the type of their samples and without")
    func erased() {
        #expect(SampleType<QuantitySample>.heartRate.erased == AnySampleType.heartRate)
        #expect(SampleType<CategorySample>.sleepAnalysis.erased == AnySampleType.sleepAnalysis)
        #expect(SampleType<CorrelationSample>.bloodPressure.erased == AnySampleType.bloodPressure)
        #expect(SampleType<ClinicalRecord>.allergyRecord.erased == AnySampleType.allergyRecord)
        #expect(SampleType<Workout>.workout.erased == AnySampleType.workout)
        #expect(SampleType<AudiogramSample>.audiogram.erased == AnySampleType.audiogram)
        #expect(SampleType<HeartbeatSeries>.heartbeatSeries.erased == AnySampleType.heartbeatSeries)
        let prescription = SampleType<VisionPrescription>.visionPrescription
        #expect(prescription.erased == AnySampleType.visionPrescription)
        #expect(SampleType<UntypedRecord>.stateOfMind.erased == AnySampleType.stateOfMind)
        #expect(SampleType<UntypedRecord>.gad7.erased == AnySampleType.gad7)
        #expect(SampleType<UntypedRecord>.phq9.erased == AnySampleType.phq9)
        #expect(SampleType<ActivitySummary>.activitySummary.erased == AnySampleType.activitySummary)
        let observations = SampleType<ClinicalRecord>.clinicalRecords(of: "Observation")
        #expect(observations.identifier == "ClinicalRecord/Observation")
    }

    @Test("say what the type without them says")
    func facts() {
        func check<Sample>(_ member: SampleType<Sample>) {
            let type = member.erased
            #expect(type.isKnown)
            #expect(member.identifier == type.identifier && member.title == type.title)
            #expect(member.canonicalUnit == type.canonicalUnit)
            #expect(member.aggregationStyle == type.aggregationStyle)
            #expect(member.description == type.identifier)
        }
        check(SampleType<QuantitySample>.bloodOxygen)
        check(SampleType<QuantitySample>.dietaryVitaminB12)
        check(SampleType<CategorySample>.environmentalAudioExposureEvent)
        check(SampleType<CorrelationSample>.food)
    }

    @Test("of rings are no known type, as HealthKit has no type of samples for them")
    func activitySummary() {
        #expect(!AnySampleType.activitySummary.isKnown && AnySampleType.activitySummary.kind == .other)
    }
}
