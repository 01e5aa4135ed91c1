import ByteText
import SystemIO
import Testing

/// A file of test vectors in the format of the Wycheproof project, outside of this repository.
struct WycheproofFile {
    struct Vector: Sendable {
        var id = 0
        var isValid = false
        var flags: Set<String> = []
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]

        /// A field that is hexadecimal.
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(
                texts[name].flatMap { VaultCryptoTests.bytes(hexadecimal: $0) }, "\(name) of vector \(id)")
        }

        /// A field that is a number, of the vector or else of its group.
        func number(_ name: String) throws -> Int { try #require(numbers[name], "\(name) of vector \(id)") }
    }

    /// The folder with the vectors, which the environment variable HEALTHVAULT_VECTORS names.
    private static let folder = CurrentProcess.path(inEnvironment: "HEALTHVAULT_VECTORS")

    /// Runs a test only if there are vectors; else it is shown as skipped, with the reason.
    static let areThere = ConditionTrait.enabled(if: folder != nil, "HEALTHVAULT_VECTORS is not set")

    /// Reads the vectors of a file.
    static func vectors(_ name: String) throws -> [Vector] {
        let folder = try #require(folder)
        var vectors: [Vector] = []
        var reader = JSONReader(try fileBytes("\(folder)/\(name)"))
        try reader.object { reader, key in
            if key == "testGroups" {
                try reader.array { reader in vectors += try group(&reader) }
            } else {
                try reader.skip()
            }
        }
        try reader.finish()
        #expect(!vectors.isEmpty)
        return vectors
    }

    private static func group(_ reader: inout JSONReader) throws -> [Vector] {
        var vectors: [Vector] = []
        var numbers: [String: Int] = [:]
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("tests", _): try reader.array { reader in vectors.append(try vector(&reader)) }
            case (_, .number): numbers[key] = try reader.integer()
            default: try reader.skip()
            }
        }
        return vectors.map { vector in
            var vector = vector
            vector.numbers.merge(numbers) { own, _ in own }
            return vector
        }
    }

    private static func vector(_ reader: inout JSONReader) throws -> Vector {
        var vector = Vector()
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("tcId", _): vector.id = try reader.integer()
            case ("result", _): vector.isValid = try reader.string() == "valid"
            case ("flags", _): try reader.array { reader in vector.flags.insert(try reader.string()) }
            case (_, .string): vector.texts[key] = try reader.string()
            case (_, .number): vector.numbers[key] = try reader.integer()
            default: try reader.skip()
            }
        }
        return vector
    }
}
