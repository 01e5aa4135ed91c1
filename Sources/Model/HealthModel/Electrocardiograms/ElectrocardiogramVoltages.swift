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
