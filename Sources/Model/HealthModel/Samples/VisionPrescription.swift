public import CivilTime
import SampleBatches

/// A prescription for glasses or contact lenses.
public struct VisionPrescription: HealthSample {
    /// A special type.
    public static var kind: AnySampleType.Kind? { .other }
    /// The row.
    public let row: SampleRow
    /// Creates a prescription from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The type of prescription, as written.
    public var prescriptionType: String? { row["type"] }
    /// When it was issued.
    public var dateIssued: Timestamp? { row.time("dateIssued") }
    /// When it expires.
    public var expirationDate: Timestamp? { row.time("expirationDate") }
    /// The brand of the lenses.
    public var brand: String? { row["brand"] }
    /// The lens for the right eye.
    public var rightEye: Lens? { row.elements("RightEye").first.map { Lens($0) } }
    /// The lens for the left eye.
    public var leftEye: Lens? { row.elements("LeftEye").first.map { Lens($0) } }
    /// The identifiers of the files that belong to it.
    public var attachments: [String] { row.elements("Attachment").compactMap { $0["identifier"] } }

    /// A lens, described by its quantities.
    public struct Lens: Sendable, Equatable {
        private let quantities: [String: Quantity]

        /// The names of its quantities.
        static let names = [
            "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD",
            "baseCurve", "diameter",
        ]

        init(_ element: ElementNode) {
            quantities = Dictionary(
                uniqueKeysWithValues: Self.names.compactMap { name in
                    element.quantity(name, unit: name + "Unit").map { (name, $0) }
                })
        }

        /// Its power.
        public var sphere: Quantity? { quantities["sphere"] }
        /// The power that corrects astigmatism.
        public var cylinder: Quantity? { quantities["cylinder"] }
        /// The axis of the cylinder.
        public var axis: Quantity? { quantities["axis"] }
        /// The power that is added for reading.
        public var addPower: Quantity? { quantities["add"] }
        /// The distance between lens and eye.
        public var vertexDistance: Quantity? { quantities["vertex"] }
        /// The amount of its prism.
        public var prismAmount: Quantity? { quantities["prismAmount"] }
        /// The angle of its prism.
        public var prismAngle: Quantity? { quantities["prismAngle"] }
        /// The pupillary distance for far vision.
        public var farPupillaryDistance: Quantity? { quantities["farPD"] }
        /// The pupillary distance for near vision.
        public var nearPupillaryDistance: Quantity? { quantities["nearPD"] }
        /// The curve of a contact lens.
        public var baseCurve: Quantity? { quantities["baseCurve"] }
        /// The diameter of a contact lens.
        public var diameter: Quantity? { quantities["diameter"] }
    }
}

extension SampleType where Sample == VisionPrescription {
    /// Prescriptions for glasses or contact lenses.
    public static var visionPrescription: Self { Self(unchecked: .visionPrescription) }
}
