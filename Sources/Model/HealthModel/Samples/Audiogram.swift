import SampleBatches

/// A hearing test.
public struct AudiogramSample: HealthSample {
    /// A special type.
    public static var kind: AnySampleType.Kind? { .other }
    /// The row.
    public let row: SampleRow
    /// Creates a hearing test from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The measurements at one frequency.
    public struct SensitivityPoint: Sendable, Equatable {
        /// The frequency.
        public let frequency: Quantity?
        /// The softest sound that the left ear heard.
        public let leftEar: Quantity?
        /// The softest sound that the right ear heard.
        public let rightEar: Quantity?
        /// Whether the other ear was masked while the left one was tested; nil before iOS 18.1.
        public let isLeftEarMasked: Bool?
        /// Whether the other ear was masked while the right one was tested; nil before iOS 18.1.
        public let isRightEarMasked: Bool?

        init(_ element: ElementNode) {
            frequency = element.quantity("frequencyValue", unit: "frequencyUnit")
            leftEar = element.quantity("leftEarValue", unit: "leftEarUnit")
            rightEar = element.quantity("rightEarValue", unit: "rightEarUnit")
            isLeftEarMasked = element.flag("leftEarMasked")
            isRightEarMasked = element.flag("rightEarMasked")
        }
    }

    /// The measurements, one point for each frequency.
    public var sensitivityPoints: [SensitivityPoint] {
        row.elements("SensitivityPoint").map { SensitivityPoint($0) }
    }
}

extension SampleType where Sample == AudiogramSample {
    /// Hearing tests.
    public static var audiogram: Self { Self(unchecked: .audiogram) }
}

extension ElementNode {
    /// Returns the flag in an attribute, written as 0 or 1, true or false, yes or no.
    fileprivate func flag(_ name: String) -> Bool? {
        switch self[name]?.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}
