import CivilTime
import JSONText
import SystemIO

extension Destination {
    /// The destination as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("destination", 1)
            writer.member("name", name)
            writer.member("path", path)
            writer.member("mountPoint", mountPoint)
            if let uuid = filesystem.uuid { writer.member("uuid", uuid) }
            if let label = filesystem.label { writer.member("label", label) }
            if let type = filesystem.type { writer.member("type", type) }
            writer.member("marker", marker)
            writer.member("added", added)
        }
        return writer.bytes
    }

    /// Reads a line; nil if this version does not support it.
    init?(line: [UInt8]) {
        guard let fields = RecordFields(line: line) else { return nil }
        guard fields.numbers["destination"] == 1, let name = fields.text("name"), Self.isName(name),
            let path = fields.paths["path"], path.isAbsolute, let mountPoint = fields.paths["mountPoint"],
            mountPoint.isAbsolute, let marker = fields.text("marker"), let added = fields.numbers["added"],
            Timestamp.writableSeconds.contains(added)
        else { return nil }
        self.init(
            name: name, path: path, mountPoint: mountPoint,
            filesystem: FilesystemIdentity(
                uuid: fields.text("uuid"), label: fields.text("label"), type: fields.text("type")),
            marker: marker, added: added)
    }
}
