import ByteText
import HealthFHIR
import HealthModel
import SampleBatches
import Testing

/// Samples and what their resources say.
enum ObservationFixture {
    static let start = Timestamp(seconds: 1_711_987_200, offsetMinutes: 120)

    /// Returns a quantity that lasts some seconds.
    static func quantity(
        _ type: SampleType<QuantitySample>, _ text: String, _ unit: String, seconds: Int = 0,
        metadata: Metadata = [:]
    ) throws -> QuantitySample {
        let end = Timestamp(seconds: start.seconds + seconds, offsetMinutes: start.offsetMinutes)
        let quantity = try #require(Quantity(text, HealthUnit(unit)))
        return QuantitySample(
            type, quantity, start: start, end: end, source: Source(name: "Watch"), metadata: metadata)
    }

    /// Returns the resource of a sample as text.
    static func text(_ sample: some HealthSample, _ mapper: FHIRMapper = FHIRMapper()) throws -> String {
        let resource = try #require(mapper.resources(of: sample).last)
        return String(decoding: resource.json, as: UTF8.self)
    }

    /// Returns the resource of a quantity as text.
    static func text(
        _ type: SampleType<QuantitySample>, _ value: String, _ unit: String, metadata: Metadata = [:]
    ) throws -> String {
        try text(quantity(type, value, unit, metadata: metadata))
    }

    /// Returns a recording of 25 voltages, with a sample rate as it is written in the file.
    static func electrocardiogram(rate: String) throws -> Electrocardiogram {
        let csv =
            "Name,\nRecorded Date,2024-01-01 10:00:00 +0100\nClassification,Sinus Rhythm\nSymptoms,\n"
            + "Sample Rate,\(rate) hertz\n\n\nLead,Lead I\nUnit,µV\n\n"
            + (0..<25).map { "\($0).12345" }.joined(separator: "\n")
        return try Electrocardiogram(csv: Array(csv.utf8), path: "ecg.csv")
    }

    /// A row of a document, with times that are the same in all of them.
    static func row(
        _ element: String, _ attributes: [(String, String)], _ children: [ElementNode] = []
    ) -> SampleRow {
        var node = ElementNode(name: element)
        var time: [UInt8] = []
        start.appendApple(to: &time)
        let text = String(decoding: time, as: UTF8.self)
        node.attributes =
            (attributes + [("startDate", text), ("endDate", text)])
            .map { ElementNode.Attribute($0, Array($1.utf8)) }
        node.children = children.map { .element($0) }
        return SampleRow(node)
    }
}
