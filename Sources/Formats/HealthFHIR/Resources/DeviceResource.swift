import ByteText
import HealthModel
import SampleBatches

/// A `Device`: the app and the hardware that recorded samples.
final class DeviceResource: Sendable {
    /// Its identity.
    let identity: UInt128
    /// The resource.
    let json: [UInt8]

    /// Describes a source; nil if nothing is known of it.
    init?(sourceName: String?, sourceVersion: String?, device: Device?) {
        let properties = (device?.properties ?? [:]).filter { FHIRText.string($0.value) != nil }
        let name = sourceName.flatMap { FHIRText.string($0) }
        guard name != nil || !properties.isEmpty else { return nil }
        let listed = properties.sorted { $0.key < $1.key }
        let identity = FHIRIdentity.of(
            ["Device", sourceName ?? "", sourceVersion ?? ""] + listed.flatMap { [$0.key, $0.value] })
        self.identity = identity
        var writer = JSONWriter()
        writer.object { writer in
            writer.opening("Device", Self.identifier(identity))
            writer.text("manufacturer", properties["manufacturer"])
            writer.text("modelNumber", properties["hardware"] ?? properties["model"])
            writer.text("serialNumber", properties["localIdentifier"])
            let names = [("user-friendly-name", name), ("model-name", properties["name"])]
                .compactMap { type, name in name.map { (type, $0) } }
            if !names.isEmpty {
                writer.key("deviceName")
                writer.array { writer in
                    for (type, name) in names {
                        writer.object { writer in
                            writer.text("name", name)
                            writer.member("type", type)
                        }
                    }
                }
            }
            Self.writeType(properties["model"], &writer)
            Self.writeVersions(properties, sourceVersion, &writer)
        }
        json = writer.bytes
    }

    private static func writeType(_ model: String?, _ writer: inout JSONWriter) {
        guard let model else { return }
        writer.concept("type", [], text: model)
    }

    private static func writeVersions(
        _ properties: [String: String], _ sourceVersion: String?, _ writer: inout JSONWriter
    ) {
        let versions =
            [
                ("source", sourceVersion.flatMap { FHIRText.string($0) }),
                ("hardware", properties["hardware"]),
                ("firmware", properties["firmware"]), ("software", properties["software"]),
            ].compactMap { kind, version in version.map { (kind, $0) } }
        guard !versions.isEmpty else { return }
        writer.key("version")
        writer.array { writer in
            for (kind, version) in versions {
                writer.object { writer in
                    writer.concept("type", [], text: kind)
                    writer.text("value", version)
                }
            }
        }
    }
}

extension DeviceResource {
    /// Describes the source of the rows of a context.
    convenience init?(_ context: BatchContext) {
        let fields = ContextFields(context)
        self.init(
            sourceName: fields.sourceName, sourceVersion: fields.text("sourceVersion"),
            device: fields.device)
    }
}

extension DeviceResource {
    /// The resource with its id and identifier.
    var resource: FHIRResource {
        FHIRResource(
            type: "Device", id: FHIRIdentity.text(identity), identifier: identifier, json: json)
    }

    /// The identifier.
    var identifier: FHIRIdentifier { Self.identifier(identity) }

    private static func identifier(_ identity: UInt128) -> FHIRIdentifier {
        FHIRIdentifier(system: FHIRIdentity.deviceSystem, value: FHIRIdentity.text(identity))
    }
}
