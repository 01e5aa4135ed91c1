import CHealthVault
import Glibc

/// Hands columns and fields over to a consumer, as the structs of Arrow's C data interface.
///
/// Every array and schema, those inside others as well, owns what it describes and has a release of its own, so that a consumer
/// may move a child out of its parent.
enum ArrowExport: Sendable {
    /// Describes a column in an array that is not in use.
    static func export(_ column: ArrowColumn, to array: UnsafeMutablePointer<ArrowArray>) {
        let owner = unsafe ArrayOwner(column)
        unsafe array.initialize(
            to: ArrowArray(
                length: Int64(column.length), null_count: Int64(column.nullCount), offset: 0,
                n_buffers: Int64(column.buffers.count), n_children: Int64(column.children.count),
                buffers: owner.addresses, children: owner.children, dictionary: owner.dictionary,
                release: { array in
                    guard let array = unsafe array, let owner = unsafe array.pointee.private_data else {
                        return
                    }
                    unsafe array.pointee.release = nil
                    unsafe array.pointee.private_data = nil
                    unsafe Unmanaged<ArrayOwner>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(owner).toOpaque()))
    }

    /// Describes a field in a schema that is not in use.
    static func export(_ field: ArrowField, to schema: UnsafeMutablePointer<ArrowSchema>) {
        let owner = unsafe SchemaOwner(field)
        unsafe schema.initialize(
            to: ArrowSchema(
                format: owner.format, name: owner.name, metadata: owner.metadata,
                flags: field.isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0,
                n_children: Int64(field.children.count), children: owner.children,
                dictionary: owner.dictionary,
                release: { schema in
                    guard let schema = unsafe schema, let owner = unsafe schema.pointee.private_data else {
                        return
                    }
                    unsafe schema.pointee.release = nil
                    unsafe schema.pointee.private_data = nil
                    unsafe Unmanaged<SchemaOwner>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(owner).toOpaque()))
    }
}

/// What the parts of an array point to.
@unsafe private final class ArrayOwner {
    private let buffers: [ArrowBuffer?]
    let addresses: UnsafeMutablePointer<UnsafeRawPointer?>
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>
    let dictionary: UnsafeMutablePointer<ArrowArray>?
    private let childCount: Int

    init(_ column: ArrowColumn) {
        unsafe buffers = column.buffers
        unsafe addresses = .allocate(capacity: max(1, column.buffers.count))
        for (number, buffer) in column.buffers.enumerated() {
            unsafe (addresses + number).initialize(to: buffer?.address)
        }
        unsafe childCount = column.children.count
        unsafe children = .allocate(capacity: max(1, column.children.count))
        for (number, child) in column.children.enumerated() {
            let place = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            unsafe ArrowExport.export(child, to: place)
            unsafe (children + number).initialize(to: place)
        }
        var dictionary: UnsafeMutablePointer<ArrowArray>?
        if let values = column.dictionary.first {
            let place = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            unsafe ArrowExport.export(values, to: place)
            unsafe dictionary = place
        }
        unsafe self.dictionary = unsafe dictionary
    }

    deinit {
        for number in 0..<(unsafe childCount) { unsafe Self.free(children[number]) }
        unsafe Self.free(dictionary)
        unsafe children.deallocate()
        unsafe addresses.deallocate()
    }

    /// Releases an array that was not moved away, and frees its struct.
    private static func free(_ array: UnsafeMutablePointer<ArrowArray>?) {
        guard let array = unsafe array else { return }
        if let release = unsafe array.pointee.release { unsafe release(array) }
        unsafe array.deallocate()
    }
}

/// What the parts of a schema point to.
@unsafe private final class SchemaOwner {
    let format: UnsafeMutablePointer<CChar>
    let name: UnsafeMutablePointer<CChar>
    let metadata: UnsafeMutablePointer<CChar>?
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>
    let dictionary: UnsafeMutablePointer<ArrowSchema>?
    private let childCount: Int

    init(_ field: ArrowField) {
        unsafe format = Self.copy(Array(field.format.utf8) + [0])
        unsafe name = Self.copy(Array(field.name.utf8) + [0])
        unsafe metadata = field.metadata.isEmpty ? nil : Self.copy(Self.encoded(field.metadata))
        unsafe childCount = field.children.count
        unsafe children = .allocate(capacity: max(1, field.children.count))
        for (number, child) in field.children.enumerated() {
            let place = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            unsafe ArrowExport.export(child, to: place)
            unsafe (children + number).initialize(to: place)
        }
        var dictionary: UnsafeMutablePointer<ArrowSchema>?
        if let values = field.dictionary.first {
            let place = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            unsafe ArrowExport.export(values, to: place)
            unsafe dictionary = place
        }
        unsafe self.dictionary = unsafe dictionary
    }

    deinit {
        for number in 0..<(unsafe childCount) { unsafe Self.free(children[number]) }
        unsafe Self.free(dictionary)
        unsafe children.deallocate()
        unsafe format.deallocate()
        unsafe name.deallocate()
        unsafe metadata?.deallocate()
    }

    private static func free(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
        guard let schema = unsafe schema else { return }
        if let release = unsafe schema.pointee.release { unsafe release(schema) }
        unsafe schema.deallocate()
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (number, byte) in bytes.enumerated() {
            unsafe (place + number).initialize(to: CChar(bitPattern: byte))
        }
        return unsafe place
    }

    /// Returns metadata in Arrow's form: the number of pairs, and each name and value with its length before it.
    private static func encoded(_ metadata: [(name: String, value: String)]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] {
            let value = UInt32(truncatingIfNeeded: value)
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return UInt32(1).littleEndian == 1 ? bytes : bytes.reversed()
        }
        return number(metadata.count)
            + metadata.flatMap { name, value in
                number(name.utf8.count) + Array(name.utf8) + number(value.utf8.count) + Array(value.utf8)
            }
    }
}
