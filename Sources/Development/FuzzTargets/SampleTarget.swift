import HealthFormats
import HealthModel
import SampleBatches

/// The fuzz targets for samples that are read from lines, and for electrocardiograms.
enum SampleTarget: Sendable {
    /// Checks that every property of a sample can be read, and that nested content can be written and read again.
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

    /// Checks that the voltages of an accepted recording are finite numbers.
    @Sendable static func electrocardiogram(_ input: [UInt8]) {
        guard let recording = try? Electrocardiogram(csv: input, path: "x") else { return }
        guard recording.voltages.microvolts.allSatisfy(\.isFinite) else {
            violated("voltages are finite numbers")
        }
    }
}
