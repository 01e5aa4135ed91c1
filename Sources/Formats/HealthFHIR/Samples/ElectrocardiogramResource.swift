import ByteText
public import HealthModel
import SampleBatches
import SipHash

extension FHIRMapper {
    /// A resource with what recorded it.
    struct Recorded {
        let type: String
        let identity: UInt128
        let device: DeviceResource?
        let json: [UInt8]
    }

    /// Returns the resources of an electrocardiogram: the device, if it is known, and an `Observation`.
    ///
    /// - Throws: ``FHIRError`` with the code `notMapped` if it has no date, no voltages, or no sampling frequency that a
    ///   device can have.
    public func resources(of recording: Electrocardiogram) throws(FHIRError) -> [FHIRResource] {
        let recorded = try resource(of: recording)
        let id = FHIRIdentity.text(recorded.identity)
        let observation = FHIRResource(
            type: recorded.type, id: id,
            identifier: FHIRIdentifier(system: sampleSystem, value: id), json: recorded.json)
        return (recorded.device.map { [$0.resource] } ?? []) + [observation]
    }

    func resource(of recording: Electrocardiogram) throws(FHIRError) -> Recorded {
        guard let start = recording.recordedDate, let frequency = recording.samplingFrequency,
            Self.frequencies.contains(frequency), let duration = recording.duration,
            !recording.voltages.isEmpty
        else { throw FHIRError(.notMapped(.unreadableStarts), "electrocardiogram") }
        var hash = SipHash128()
        hash.update(UInt64(bitPattern: Int64(start.seconds)))
        hash.update(frequency.bitPattern)
        for voltage in recording.voltages.microvolts { hash.update(voltage.bitPattern) }
        let identity = hash.finish()
        let text = ObservationText(.electrocardiogram, self)
        let device = DeviceResource(
            sourceName: nil, sourceVersion: recording.softwareVersion,
            device: recording.device.map { Device(hardwareVersion: $0) })
        var writer = JSONWriter()
        writer.object { writer in
            if let device { writer.reference("device", reference(to: device)) }
            Self.writeTimes(start, duration, &writer)
            writer.concept(
                "valueCodeableConcept", recording.classification.map { [Self.classification($0)] } ?? [],
                text: recording.classificationText)
            writer.key("component")
            writer.array { writer in
                Self.writeFacts(recording, frequency, &writer)
                Self.writeVoltages(recording.voltages.microvolts, frequency, &writer)
            }
        }
        return Recorded(
            type: "Observation", identity: identity, device: device,
            json: text.head(identity) + [UInt8(ascii: ",")] + writer.bytes.dropFirst())
    }

    /// The sampling frequencies of electrocardiograms, generously: of any other, times cannot be computed.
    private static let frequencies = 1.0...1_000_000

    private static func writeTimes(_ start: Timestamp, _ duration: Double, _ writer: inout JSONWriter) {
        let end = Timestamp(
            seconds: start.seconds + Int(duration.rounded()), offsetMinutes: start.offsetMinutes)
        writer.key("effectivePeriod")
        writer.object { writer in
            writer.member("start", start.iso)
            writer.member("end", end.iso)
        }
    }

    private static func classification(_ classification: Electrocardiogram.Classification) -> FHIRCoding {
        FHIRCoding(
            system: "https://developer.apple.com/documentation/healthkit/hkelectrocardiogram/classification",
            code: "\(classification.rawValue)", display: classificationTitles[classification])
    }

    private static let classificationTitles: [Electrocardiogram.Classification: String] = [
        .notSet: "not set", .sinusRhythm: "sinus rhythm", .atrialFibrillation: "atrial fibrillation",
        .inconclusiveLowHeartRate: "inconclusive low heart rate",
        .inconclusiveHighHeartRate: "inconclusive high heart rate",
        .inconclusivePoorReading: "inconclusive poor reading", .inconclusiveOther: "inconclusive other",
        .unrecognized: "unrecognized",
    ]

    private static func writeFacts(
        _ recording: Electrocardiogram, _ frequency: Double, _ writer: inout JSONWriter
    ) {
        let facts: [(code: String, title: String, number: Double, unit: FHIRUnit)] = [
            (
                "NumberOfVoltageMeasurements", "Number of Voltage Measurements",
                Double(recording.voltages.count), FHIRUnit(.count, name: "measurements")
            ),
            ("SamplingFrequency", "Sampling Frequency", frequency, FHIRUnit(.hertz())),
        ]
        for fact in facts {
            writer.object { writer in
                writer.concept("code", [.apple("HKElectrocardiogram.\(fact.code)", fact.title)])
                writer.quantity("valueQuantity", ObservedQuantity(fact.number, fact.unit))
            }
        }
        for symptom in recording.symptoms {
            writer.object { writer in
                writer.concept("code", [.apple("HKElectrocardiogram.Symptom", "Symptom")])
                writer.text("valueString", symptom)
            }
        }
    }

    /// The length of a window of voltages, in seconds.
    private static let windowLength = 10.0

    /// Writes the voltages as a component for each window.
    private static func writeVoltages(
        _ voltages: [Double], _ frequency: Double, _ writer: inout JSONWriter
    ) {
        let size = max(1, Int((frequency * windowLength).rounded()))
        let lead = FHIRCoding(
            system: FHIRCoding.deviceCodeSystem, code: "131329", display: "MDC_ECG_ELEC_POTL_I")
        let period = FHIRDecimal.text(1000 / frequency)
        for start in stride(from: 0, to: voltages.count, by: size) {
            let window = voltages[start..<min(start + size, voltages.count)]
            writer.object { writer in
                writer.concept("code", [lead])
                writer.key("valueSampledData")
                writer.object { writer in
                    writer.quantity("origin", ObservedQuantity(0, FHIRUnit(.volt(.micro), name: "µV")))
                    if let period { writer.number("period", period) }
                    writer.member("dimensions", 1)
                    writer.member("data", window.map { decimal($0) }.joined(separator: " "))
                }
            }
        }
    }

    /// Returns a voltage with at most three digits after the point; FHIR's mark of an error if it is too large for that.
    private static func decimal(_ value: Double) -> String {
        FHIRDecimal.text((value * 1000).rounded() / 1000).map { String(decoding: $0, as: UTF8.self) } ?? "E"
    }
}
