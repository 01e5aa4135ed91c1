import HealthFormats
import HealthModel
import SampleBatches

/// Samples as they are read out of lines, and electrocardiograms.
enum SampleTarget: Sendable {
    /// Every property of a sample can be read, whatever the lines say; what is nested is read as it was written.
    @Sendable static func lines(_ input: [UInt8]) {
        for element in ["Record", "Workout", "Correlation", "Audiogram", "ActivitySummary"] {
            let key = SampleBatch.Key(
                element: element, type: "HKQuantityTypeIdentifierHeartRate", span: "all", part: 1)
            guard let batch = try? NDJSONReader.read(input, key: key) else { continue }
            for content in batch.contents {
                guard let children = try? ContentReader.children(of: content),
                    let again = ContentWriter.json(of: children)?.json
                else { continue }
                guard (try? ContentReader.children(of: again)) == children else {
                    violated("a content that was read can be written and read again")
                }
            }
            for sample in batch.samples { read(sample.row) }
        }
    }

    private static func read(_ row: SampleRow) {
        let quantity = QuantitySample(row: row)
        _ = (quantity.value, quantity.quantity, quantity.startDate, quantity.endDate, quantity.device)
        _ = (quantity.metadata, quantity.id, quantity.heartbeats.map(\.secondsOfDay), quantity.source)
        let workout = Workout(row: row)
        _ = (workout.duration, workout.statistics, workout.totalDistance, workout.activities, workout.routes)
        _ = (CorrelationSample(row: row).members, CategorySample(row: row).rawValue)
        _ = (ActivitySummary(row: row).day, VisionPrescription(row: row).rightEye)
        _ = (AudiogramSample(row: row).sensitivityPoints, ClinicalRecord(row: row).filePath)
    }

    /// A recording that is read has voltages that are numbers.
    @Sendable static func electrocardiogram(_ input: [UInt8]) {
        guard let recording = try? Electrocardiogram(csv: input, path: "x") else { return }
        guard recording.voltages.microvolts.allSatisfy(\.isFinite) else {
            violated("voltages are finite numbers")
        }
    }
}
