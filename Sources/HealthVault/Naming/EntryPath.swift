import ByteSpans
public import HealthModel
import SystemIO
import VaultCrypto

/// The names of everything in a container and in a plain folder.
///
/// They hold on FAT and exFAT too: no forbidden characters, and none that differ by case alone.
public enum EntryPath: Sendable {
    /// The list of what is in an export.
    public static let manifest = "manifest.json"
    /// What the session was asked to do; in containers only.
    public static let session = "session.json"
    /// The bytes before the root element of the main document.
    public static let prologue = "prologue.xml"
    /// Digests of all files; in plain folders only.
    public static let checksums = "SHA256SUMS"

    static let records = "records/"
    static let files = "files/"
    static let storedSuffix = ".json.zst"
    static let linesSuffix = ".ndjson"
    static let frameSuffix = ".zst"

    /// The path of a batch without its ending: `records/HKQuantityTypeIdentifierHeartRate/2023-05`.
    public static func batch(_ key: SampleBatch.Key) -> String {
        let folder: String
        if key.element == "Record" {
            folder = name(ofType: key.type)
        } else {
            folder = name(ofType: key.element) + (key.type.isEmpty ? "" : "-" + name(ofType: key.type))
        }
        let part = key.part == 1 ? "" : ".part\(key.part)"
        return records + folder + "/" + key.span + part
    }

    /// Known identifiers stay as they are; others get a digest of their exact spelling, so that two of them never
    /// share a name on a file system that ignores case.
    private static func name(ofType type: String) -> String {
        let isPlain = type.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
        }
        if isPlain, known.contains(type) || SampleType.known(type) != nil { return type }
        let digest = (try? SHA256.digest(of: Array(type.utf8).span)) ?? []
        let letters = type.unicodeScalars.prefix(80).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? String(scalar) : "_"
        }
        return letters.joined() + "-" + String(Hexadecimal.text(digest).prefix(8))
    }

    private static let known: Set<String> = [
        "HealthData", "ExportDate", "Me", "Record", "Correlation", "Workout", "ActivitySummary",
        "ClinicalRecord",
        "Audiogram", "VisionPrescription", "AllergyIntolerance", "Condition", "Coverage", "DiagnosticReport",
        "DocumentReference", "Encounter", "Immunization", "MedicationDispense", "MedicationOrder",
        "MedicationRequest", "MedicationStatement", "Observation", "Patient", "Procedure",
    ]

    /// The path of a side file: its own, with what FAT forbids written as `%XX`.
    static func file(_ name: String) -> String {
        let parts = RelativePath.parts(of: name).filter { !$0.isEmpty }.map { part in
            var bytes: [UInt8] = []
            let source = Array(part.utf8)
            for (index, byte) in source.enumerated() {
                let isLast = index == source.count - 1
                if byte < 0x20 || byte == 0x7f || forbidden.contains(byte)
                    || isLast && (byte == 0x2e || byte == 0x20)
                {
                    bytes += Array(("%" + Hexadecimal.text([byte]).uppercased()).utf8)
                } else {
                    bytes.append(byte)
                }
            }
            return shortened(String(decoding: bytes, as: UTF8.self))
        }
        let path = files + parts.joined(separator: "/")
        guard path.utf8.count > longestPath else { return path }
        return files + "long-paths/" + shortDigest(name) + "-" + (parts.last ?? "")
    }

    /// Containers take names of 1024 bytes, and a file's pieces have endings and perhaps a number to tell it apart.
    private static let longestPath = 960

    /// A name that leaves room for the endings that it gets in a container; a longer one keeps its start and gets a digest.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var start = ""
        for character in name where start.utf8.count + character.utf8.count <= longestName - 17 {
            start.append(character)
        }
        return start + "~" + shortDigest(name)
    }

    /// 16 digits that stand for a text.
    private static func shortDigest(_ text: String) -> String {
        let digest = (try? SHA256.digest(of: Array(text.utf8).span)) ?? []
        return String(Hexadecimal.text(digest).prefix(16))
    }

    /// Disks take 255 bytes.
    private static let longestName = 230

    private static let forbidden = Set("%:?*\"<>|\\".utf8)

    /// The paths of side files; where two differ by case or by their Unicode form alone, the later gets a number.
    static func files(_ names: [String]) -> [String] {
        // A file must not have the name of another one's folder either, nor must its pieces.
        var taken: Set<String> = []
        for folder in names.flatMap({ folders(of: file($0)) }) {
            taken.insert(folder)
            if let file = pieceOwner(folder) { taken.insert(file) }
        }
        // All numbers below are taken: thousands of files can have one name.
        var numbers: [String: Int] = [:]
        return names.map { name in
            let path = file(name)
            let key = path.lowercased()
            if taken.insert(key).inserted { return path }
            var number = numbers[key] ?? 2
            while !taken.insert(key + "~\(number)").inserted { number += 1 }
            numbers[key] = number + 1
            return path + "~\(number)"
        }
    }

    /// The paths of the folders that a path leads through, in lower case.
    private static func folders(of path: String) -> [String] {
        let parts = RelativePath.parts(of: path.lowercased())
        return parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    }

    /// The file whose piece has this path, nil where it is not that of a piece.
    static func pieceOwner(_ path: String) -> String? {
        let bytes = Array(path.utf8)
        let mark = Array((frameSuffix + ".").utf8)
        let digits = bytes.reversed().prefix { $0 &- 0x30 < 10 }.count
        let end = bytes.count - digits - mark.count
        guard digits >= 4, end > 0, bytes[end..<(end + mark.count)].elementsEqual(mark) else { return nil }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// The name of a compressed piece of a side file.
    static func piece(_ path: String, _ number: Int) -> String {
        let digits = String(number)
        return path + frameSuffix + "." + String(repeating: "0", count: max(0, 4 - digits.utf8.count))
            + digits
    }
}
