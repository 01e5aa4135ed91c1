/// The identity of a record across exports: element, sample type, instants, value, unit, source, device and nested
/// content.
///
/// It excludes what may change between exports of the same record: how times are written, the pointer and creation date
/// in device descriptions, the source's version, and `creationDate`.
enum RecordIdentity: Sendable {
    static let ignoredNames: Set<String> = ["creationDate", "sourceVersion"]

    /// Returns whether the values of a slot are part of the identity; the pointer in a device description is not.
    static func includes(_ slot: BatchContext.Slot) -> Bool {
        if case .enclosed = slot { return false }
        return !ignoredNames.contains(slot.name)
    }

    /// Returns the hash of what a context contributes to all its rows.
    static func hash(of context: BatchContext, element: String) -> UInt128 {
        var hash = SipHash128()
        add(Array(element.utf8), to: &hash)
        for slot in context.slots where !ignoredNames.contains(slot.name) {
            switch slot {
            case .constant(let name, let text):
                add(Array(name.utf8), to: &hash)
                add(name == "device" ? ContentIdentity.normalizedDevice(text) : text, to: &hash)
            case .enclosed(let name, let before, let after):
                let whole = [UInt8(ascii: "\"")] + before + after + [UInt8(ascii: "\"")]
                add(Array(name.utf8), to: &hash)
                add(ContentIdentity.normalizedDevice(whole), to: &hash)
            case .text(let name), .time(let name, _):
                add(Array(name.utf8), to: &hash)
            }
        }
        return hash.finish()
    }

    /// Adds a string after its length, so that different lists of strings never produce the same bytes.
    private static func add(_ bytes: [UInt8], to hash: inout SipHash128) {
        hash.update(UInt64(bytes.count))
        hash.update(bytes.span)
    }
}

extension BatchContext {
    /// Returns the context's contribution to the identity of an element's rows.
    func identity(inElement element: String) -> UInt128 {
        hash(inElement: element) { RecordIdentity.hash(of: self, element: element) }
    }
}
