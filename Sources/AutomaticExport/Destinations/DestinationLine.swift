import JSONText
import SampleBatches
import SystemIO
import VaultContainer

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

    /// Reads a line; nil if it is not one that this version knows.
    init?(line: [UInt8]) {
        var texts: [String: BytePath] = [:]
        var numbers: [String: Int] = [:]
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                if try reader.kind() == .number {
                    numbers[name] = try reader.integer()
                } else {
                    texts[name] = try reader.path()
                }
            }
            try reader.finish()
        } catch { return nil }
        guard numbers["destination"] == 1, let name = texts["name"]?.text, Self.isName(name),
            let path = texts["path"], path.isAbsolute, let mountPoint = texts["mountPoint"],
            mountPoint.isAbsolute, let marker = texts["marker"]?.text, let added = numbers["added"],
            Timestamp.writableSeconds.contains(added)
        else { return nil }
        self.init(
            name: name, path: path, mountPoint: mountPoint,
            filesystem: FilesystemIdentity(
                uuid: texts["uuid"]?.text, label: texts["label"]?.text, type: texts["type"]?.text),
            marker: marker, added: added)
    }
}
