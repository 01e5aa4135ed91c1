public import ByteText
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

/// The answers to a questionnaire about anxiety (GAD-7) or depression (PHQ-9).
public struct ScoredAssessment: Sendable, Equatable {
    /// Which questionnaire it is.
    public enum Questionnaire: Sendable, CaseIterable {
        /// Seven questions about anxiety.
        case gad7
        /// Nine questions about depression.
        case phq9

        /// Number of questions.
        public var questionCount: Int { self == .gad7 ? 7 : 9 }

        /// The minimum scores of the risk levels, from the second on.
        fileprivate var thresholds: [Int] { self == .gad7 ? [5, 10, 15] : [5, 10, 15, 20] }
    }

    /// The questionnaire.
    public let questionnaire: Questionnaire
    /// The answers, from 0 (not at all) to 3 (nearly every day).
    public let answers: [Int]

    /// Creates an assessment; nil if the number of answers or any answer is invalid.
    public init?(_ questionnaire: Questionnaire, answers: [Int]) {
        guard answers.count == questionnaire.questionCount, answers.allSatisfy((0...3).contains) else {
            return nil
        }
        self.questionnaire = questionnaire
        self.answers = answers
    }

    /// The sum of the answers.
    public var score: Int { answers.reduce(0, +) }

    /// The risk level, in HealthKit's numbers: from 1 (none or minimal) to 4 (GAD-7) or 5 (PHQ-9) for severe.
    ///
    /// The thresholds are 5, 10 and 15 for GAD-7 (Spitzer and others, 2006), and 5, 10, 15 and 20 for PHQ-9 (Kroenke
    /// and others, 2001).
    public var risk: Int { 1 + questionnaire.thresholds.count { score >= $0 } }
}
