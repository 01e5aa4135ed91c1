import ByteText
import HealthModel

/// A hearing test: the threshold of each ear at each frequency is a component.
enum AudiogramObservation: Sendable {
    static func write(_ sample: AnySample, _ observation: inout SampleObservation) {
        let points = AudiogramSample(row: sample.row).sensitivityPoints
        for point in points {
            guard let hertz = point.frequency?.value(in: .hertz()).flatMap({ FHIRDecimal.text($0) }) else {
                observation.omit(.nestedElements, 1)
                continue
            }
            let frequency = String(decoding: hertz, as: UTF8.self)
            for (ear, title, value) in [
                ("leftEar", "left ear", point.leftEar), ("rightEar", "right ear", point.rightEar),
            ] where value != nil {
                let coding = FHIRCoding.apple(
                    "HKAudiogramSensitivityPoint.\(ear).\(frequency)Hz",
                    "Hearing threshold, \(title), \(frequency) Hz")
                observation.add([coding], value, in: FHIRUnit(.decibelHearingLevel))
            }
        }
        let children = sample.row.children.count - sample.metadata.entries.count
        observation.omit(.nestedElements, children - points.count)
        if !observation.hasComponents { observation.giveUp(.unreadableValues) }
    }
}
