extension XMLStream {
    mutating func attribute(_ name: String, _ value: String) {
        attribute(name) { $0.append(escaped: value) }
    }

    mutating func attribute(_ name: String, _ value: Int) {
        attribute(name) { $0.append(value) }
    }

    mutating func attribute(_ name: String, _ value: FixedPoint) {
        attribute(name) { $0.append(value) }
    }

    mutating func attribute(_ name: String, _ instant: Int, _ clock: ExportClock) {
        attribute(name) { clock.append(instant, to: &$0) }
    }

    /// Writes an attribute whose value `write` appends, already escaped.
    mutating func attribute(_ name: String, _ write: (inout ByteText) -> Void) {
        text.append(UInt8(ascii: " "))
        text.append(name)
        text.append("=\"")
        write(&text)
        text.append(UInt8(ascii: "\""))
    }

    mutating func metadata(_ key: String, _ value: String) {
        element("MetadataEntry") { entry in
            entry.attribute("key", key)
            entry.attribute("value", value)
        }
    }
}

extension ByteText {
    /// Appends text for an attribute, with the four entities that Apple uses; all other characters stay unchanged.
    mutating func append(escaped more: String) {
        for byte in more.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            default: append(byte)
            }
        }
    }

    var string: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
