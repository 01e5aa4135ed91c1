public import ByteText

/// An electrocardiogram, read from its file in the export.
///
/// The person's name and date of birth in the file are discarded. Texts are in the language of the phone that made the
/// export.
public struct Electrocardiogram: Sendable, Equatable {
    /// The path of the file in the export.
    public let path: String
    /// When it was recorded; nil if the file has no date in Apple's form.
    public let recordedDate: Timestamp?
    /// The result of the recording; nil if its text is not understood, as in most languages.
    public let classification: Classification?
    /// The result as written; empty if there is none.
    public let classificationText: String
    /// The symptoms that were entered, as written; a comma before a lower-case letter is part of a symptom.
    public let symptoms: [String]
    /// The version of the software that recorded it.
    public let softwareVersion: String?
    /// The model of the device: `Watch6,7`.
    public let device: String?
    /// The number of measurements per second, in hertz.
    public let samplingFrequency: Double?
    /// The lead, as written: `Lead I`.
    public let lead: String?
    /// The unit of the voltages in the file; those in ``voltages`` are in microvolts.
    public let unit: HealthUnit
    /// The measurements in chronological order.
    public let voltages: ElectrocardiogramVoltages

    /// The length in seconds; nil if the sampling frequency is unknown.
    public var duration: Double? { samplingFrequency.map { Double(voltages.count) / $0 } }

    /// Reads a file from the export's folder `electrocardiograms`.
    ///
    /// Labels are localised: lines with a known label are identified by it, all others by their positions. Additional
    /// and missing lines do no harm.
    ///
    /// - Parameters:
    ///   - bytes: the content of the file.
    ///   - path: its path in the export.
    /// - Throws: ``ElectrocardiogramError`` if a line is not a voltage or the unit is unknown.
    public init(csv bytes: [UInt8], path: String) throws(ElectrocardiogramError) {
        var reader = ElectrocardiogramReader(bytes)
        let header = try reader.header()
        let unit = try header.unit()
        let frequency = header.samplingFrequency
        voltages = ElectrocardiogramVoltages(
            microvolts: try reader.numbers(scaledBy: unit.exponent), samplingFrequency: frequency)
        self.path = path
        self.unit = unit.unit
        samplingFrequency = frequency
        recordedDate = header.recordedDate
        classificationText = header.text(of: .classification) ?? ""
        classification = Classification(text: classificationText)
        symptoms = header.symptoms
        softwareVersion = header.text(of: .softwareVersion)
        device = header.text(of: .device)
        lead = header.text(of: .lead)
    }
}

/// The measurements of an electrocardiogram, in chronological order.
public struct ElectrocardiogramVoltages: Sendable, Equatable, RandomAccessCollection {
    /// A voltage and its time.
    public struct Measurement: Sendable, Equatable {
        /// Seconds since the first measurement; nil if the sampling frequency is unknown.
        public let timeSinceStart: Double?
        /// The voltage in microvolts.
        public let microvolts: Double
    }

    /// The voltages in microvolts.
    public let microvolts: [Double]
    let samplingFrequency: Double?

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of measurements.
    public var endIndex: Int { microvolts.count }

    /// Returns a measurement.
    public subscript(index: Int) -> Measurement {
        Measurement(
            timeSinceStart: samplingFrequency.map { Double(index) / $0 }, microvolts: microvolts[index])
    }
}
