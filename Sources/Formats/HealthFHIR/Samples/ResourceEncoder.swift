import HealthModel
import SampleBatches

/// Writes the samples of batches as resources.
struct ResourceEncoder {
    private let mapper: FHIRMapper
    private var zones = RecordedZoneRules()

    init(_ mapper: FHIRMapper) { self.mapper = mapper }

    /// Writes each row that is not an exact copy of another one.
    mutating func write(_ rows: FHIRRows, _ gaps: inout FHIRGaps, _ emit: FHIREmit) throws {
        let batch = rows.batch
        let type = batch.sampleType
        switch batch.key.element {
        case "Record" where SurveyObservation.isSurvey(type):
            try write(rows, &gaps, emit) { SurveyObservation.write($0, &$1) }
        case "Record":
            var records = RecordObservations(batch, mapper, zones)
            defer { zones = records.zones }
            try records.write(rows, &gaps, emit)
        case "Correlation": try write(rows, &gaps, emit) { CorrelationObservation.write($0, &$1) }
        case "Workout": try write(rows, &gaps, emit) { WorkoutObservation.write($0, &$1) }
        case "ActivitySummary": try write(rows, &gaps, emit) { ActivityObservation.write($0, &$1) }
        case "Audiogram": try write(rows, &gaps, emit) { AudiogramObservation.write($0, &$1) }
        case "VisionPrescription":
            for (number, sample) in batch.samples.enumerated() where !rows.isCopy(number) {
                let identity = rows.identities[number]
                let prescription = VisionPrescription(row: sample.row)
                guard let json = VisionResource.json(prescription, identity, mapper) else {
                    gaps.add(.unreadableStarts)
                    continue
                }
                gaps.add(.nestedElements, prescription.attachments.count)
                gaps.add(.attributes, VisionResource.omittedCount(prescription))
                try emit("VisionPrescription", identity, nil, json.span)
            }
        // The person, and facts about the export.
        case "Me", "HealthData", "ExportDate": break
        default: gaps.add(.unmappedTypes, batch.count - rows.copyCount)
        }
    }

    /// Writes rows one by one as observations.
    private mutating func write(
        _ rows: FHIRRows, _ gaps: inout FHIRGaps, _ emit: FHIREmit,
        _ body: (AnySample, inout SampleObservation) -> Void
    ) throws {
        let text = ObservationText(rows.batch.sampleType, mapper)
        for (number, sample) in rows.batch.samples.enumerated() where !rows.isCopy(number) {
            let identity = rows.identities[number]
            var observation = SampleObservation(sample, text, identity, mapper, &zones)
            body(sample, &observation)
            gaps.add(observation.gaps)
            guard observation.isComplete else { continue }
            try emit("Observation", identity, observation.device, observation.json.span)
        }
    }
}
