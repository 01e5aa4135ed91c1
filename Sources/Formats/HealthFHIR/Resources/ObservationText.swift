import ByteText
import HealthModel

/// The parts of an `Observation` that all samples of a type share, as pieces of JSON.
struct ObservationText: Sendable {
    /// The mapping of the type.
    let mapping: FHIRTypeMapping
    /// What stands before the id.
    static let opening = Array("{\"resourceType\":\"Observation\",\"id\":\"".utf8)
    /// What stands between the id and the value of the identifier.
    let identifier: [UInt8]
    /// What stands after the value of the identifier: up to the subject.
    let body: [UInt8]

    init(_ type: AnySampleType, _ mapper: FHIRMapper) {
        mapping = mapper.mapping[type]
        var writer = JSONWriter()
        let mapping = mapping
        writer.object { writer in
            if let profile = mapping.profile {
                writer.key("meta")
                writer.object { $0.member("profile", [profile]) }
            }
        }
        let meta = writer.bytes.dropFirst().dropLast()
        let system = mapper.sampleSystem
        identifier =
            Array("\",".utf8) + meta + (meta.isEmpty ? [] : Array(",".utf8))
            + Array("\"identifier\":[{\"system\":\"\(system)\",\"value\":\"".utf8)
        writer = JSONWriter()
        writer.object { writer in
            writer.member("status", "final")
            Self.writeCategories(mapping.categories, &writer)
            writer.concept("code", mapper.mapping.codings(of: type), text: type.isKnown ? nil : type.title)
            writer.key("subject")
            writer.raw(mapper.subjectJSON.span)
        }
        body = Array("\"}],".utf8) + writer.bytes.dropFirst().dropLast()
    }

    /// Returns a resource up to the subject.
    func head(_ identity: UInt128) -> [UInt8] {
        let id = Array(FHIRIdentity.text(identity).utf8)
        return Self.opening + id + identifier + id + body
    }

    private static func writeCategories(_ codes: [String], _ writer: inout JSONWriter) {
        guard !codes.isEmpty else { return }
        writer.key("category")
        writer.array { writer in
            for code in codes {
                writer.object { writer in
                    writer.key("coding")
                    writer.array { writer in
                        writer.coding(
                            FHIRCoding(
                                system: FHIRCoding.categorySystem, code: code, display: categoryTitle(code)))
                    }
                }
            }
        }
    }

    /// Returns the title of a category, which is its code in words: `Vital Signs`.
    private static func categoryTitle(_ code: String) -> String {
        code.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
