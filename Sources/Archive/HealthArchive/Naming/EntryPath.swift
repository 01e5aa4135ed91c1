import ByteText
import HealthModel
public import SampleBatches
public import SystemIO
import VaultCrypto

/// The names of all files in a container and in a plain folder.
///
/// They are valid on FAT and exFAT too: they contain no forbidden characters, and no two differ only by case.
public enum EntryPath: Sendable {
    /// The list of an export's contents.
    public static let manifest: BytePath = "manifest.json"
    /// The description of what the session was asked to do; in containers only.
    public static let session: BytePath = "session.json"
    /// The bytes before the root element of the main document.
    public static let prologue: BytePath = "prologue.xml"
    /// Digests of all files; in plain folders only.
    public static let checksums: BytePath = "SHA256SUMS"

    /// The file that marks a folder as one that an export is still writing.
    package static let unfinishedMark: BytePath = ".healthvault-unfinished"
    /// The suffix of the temporary name of an unfinished folder.
    package static let unfinishedSuffix: BytePath = ".part"
    /// The report of a recovery, in the folders that it writes.
    public static let recoveryReport: BytePath = "recovery.json"

    package static let records: BytePath = "records/"
    package static let files: BytePath = "files/"
    package static let storedSuffix: BytePath = ".json"
    /// The folder for side files that only earlier exports had; in containers only.
    static let gone: BytePath = "gone/"
    static let goneMark: BytePath = ".gone"
    /// The mark before the number of a batch's second part and of later ones.
    private static let partMark: BytePath = ".part"
    package static let linesSuffix: BytePath = ".ndjson"
    package static let frameSuffix: BytePath = ".zst"
    /// The suffix of a batch that is compressed on its own.
    static let storedFrameSuffix = storedSuffix + frameSuffix
    static let storedPrologue = prologue + frameSuffix
    /// The manifest as it is stored in a container.
    package static let storedManifest = manifest + frameSuffix

    /// Returns the path of a batch without its suffix: `records/HKQuantityTypeIdentifierHeartRate/2023-05`, followed by
    /// `.gone` for samples that have vanished.
    public static func batch(_ key: SampleBatch.Key, isGone: Bool = false) -> BytePath {
        let folder = type(element: key.element, type: key.type)
        let part: BytePath = key.part == 1 ? "" : "\(partMark)\(key.part)"
        return "\(records)\(folder)/\(key.span)\(isGone ? goneMark : "")\(part)"
    }

    /// Returns the path of a side file that only earlier exports had.
    package static func gone(file path: BytePath) -> BytePath { gone + path }

    /// Returns whether the path is that of a side file, in the newest export or in an earlier one.
    package static func isFile(_ path: BytePath) -> Bool {
        path.hasPrefix(files) || path.hasPrefix(gone + files)
    }

    /// Returns the name of an element and sample type in paths.
    package static func type(element: String, type: String) -> BytePath {
        // Records of a type that has the name of an element must not be in the folder of those elements.
        if element == "Record" { return "\(name(ofType: type, among: []))" }
        return "\(name(ofType: element, mark: "<"))\(type.isEmpty ? "" : "-" + name(ofType: type))"
    }

    /// Returns the path of a batch's first part and the number of this part; nil if the path is that of a first part.
    package static func firstPart(of path: BytePath) -> (path: BytePath, part: Int)? {
        let digits = path.bytes.reversed().prefix { $0 &- 0x30 < 10 }.count
        let end = path.count - digits - partMark.count
        guard path.has(partMark, at: end),
            let part = Int(String(decoding: path.bytes.suffix(digits), as: UTF8.self)), part > 1
        else { return nil }
        let first = BytePath(bytes: path.bytes[..<end])
        return "\(first)\(partMark)\(part)" == path ? (first, part) : nil
    }

    /// Returns known identifiers unchanged, and others with a digest of their exact spelling, so that two of them never
    /// share a name on a file system that ignores case.
    ///
    /// - Parameter mark: A prefix of the spelling in the digest.
    private static func name(
        ofType type: String, among known: Set<String> = known, mark: String = ""
    ) -> String {
        if type.utf8.allSatisfy(isPlain), known.contains(type) || AnySampleType.known(type) != nil {
            return type
        }
        let digest = (try? SHA256.digest(of: Array((mark + type).utf8).span)) ?? []
        let letters = type.unicodeScalars.prefix(80).map { scalar in
            UInt8(exactly: scalar.value).flatMap { isPlain($0) ? $0 : nil } ?? UInt8(ascii: "_")
        }
        return String(decoding: letters, as: UTF8.self) + "-" + Hexadecimal.text(Array(digest.prefix(4)))
    }

    /// Whether a byte is a letter or a digit.
    private static func isPlain(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }

    private static let known: Set<String> = [
        "HealthData", "ExportDate", "Me", "Record", "Correlation", "Workout", "ActivitySummary",
        "ClinicalRecord",
        "Audiogram", "VisionPrescription", "AllergyIntolerance", "Condition", "Coverage", "DiagnosticReport",
        "DocumentReference", "Encounter", "Immunization", "MedicationDispense", "MedicationOrder",
        "MedicationRequest", "MedicationStatement", "Observation", "Patient", "Procedure",
    ]

    /// Returns the file that the piece with this path belongs to; nil if it is not the path of a piece.
    package static func pieceOwner(_ path: BytePath) -> BytePath? {
        let bytes = path.bytes
        let mark = (frameSuffix + ".").bytes
        let digits = bytes.reversed().prefix { $0 &- 0x30 < 10 }.count
        let end = bytes.count - digits - mark.count
        guard digits >= 4, end > 0, bytes[end..<(end + mark.count)].elementsEqual(mark) else { return nil }
        return BytePath(bytes: bytes[..<end])
    }

    /// Returns the name of a compressed piece of a side file.
    package static func piece(_ path: BytePath, _ number: Int) -> BytePath {
        let digits = String(number)
        let zeroes = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
        return "\(path)\(frameSuffix).\(zeroes)\(digits)"
    }
}
