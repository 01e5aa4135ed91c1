import CHealthVault
import Glibc

/// Tables in the memory of C, as Arrow's C data interface lays them out.
///
/// Each array owns its buffers and has a release function of its own, so that a consumer may move a child and release
/// its parent.
enum ArrowExport {
    /// Writes a schema of columns into a structure.
    @unsafe
    static func write(_ fields: [ArrowField], to target: UnsafeMutablePointer<ArrowSchema>) {
        unsafe schema("+s", "", flags: 0, to: target, children: fields.count)
        for (number, field) in fields.enumerated() {
            guard let child = unsafe target.pointee.children[number] else { continue }
            let isList = field.kind.format == "+l"
            unsafe schema(field.kind.format, field.name, to: child, children: isList ? 1 : 0)
            if isList, let item = unsafe child.pointee.children[0] {
                unsafe schema("g", "item", to: item, children: 0)
            }
            guard case .dictionary = field.kind else { continue }
            let texts = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            unsafe schema("u", "", to: texts, children: 0)
            unsafe child.pointee.dictionary = texts
        }
    }

    @unsafe
    private static func schema(
        _ format: String, _ name: String, flags: Int64 = Int64(ARROW_FLAG_NULLABLE),
        to target: UnsafeMutablePointer<ArrowSchema>, children count: Int
    ) {
        unsafe target.initialize(to: ArrowSchema())
        unsafe target.pointee.format = UnsafePointer(strdup(format))
        unsafe target.pointee.name = UnsafePointer(strdup(name))
        unsafe target.pointee.flags = flags
        unsafe target.pointee.n_children = Int64(count)
        if count > 0 {
            let children = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(capacity: count)
            for number in 0..<count {
                let child = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
                unsafe child.initialize(to: ArrowSchema())
                unsafe (children + number).initialize(to: child)
            }
            unsafe target.pointee.children = children
        }
        unsafe target.pointee.release = { schema in
            guard let schema = unsafe schema else { return }
            for number in 0..<Int(unsafe schema.pointee.n_children) {
                guard let child = unsafe schema.pointee.children[number] else { continue }
                unsafe child.pointee.release?(child)
                unsafe child.deallocate()
            }
            unsafe schema.pointee.children?.deallocate()
            if let dictionary = unsafe schema.pointee.dictionary {
                unsafe dictionary.pointee.release?(dictionary)
                unsafe dictionary.deallocate()
            }
            unsafe free(UnsafeMutableRawPointer(mutating: schema.pointee.format))
            unsafe free(UnsafeMutableRawPointer(mutating: schema.pointee.name))
            unsafe schema.pointee.release = nil
        }
    }

    /// Writes rows into a structure.
    @unsafe
    static func write(_ rows: ArrowRows, to target: UnsafeMutablePointer<ArrowArray>) {
        unsafe array(rows.count, nulls: 0, [nil], to: target, children: rows.columns.count)
        for (number, column) in rows.columns.enumerated() {
            guard let child = unsafe target.pointee.children[number] else { continue }
            unsafe write(column, rows.count, to: child)
        }
    }

    @unsafe
    private static func write(_ column: ArrowColumn, _ count: Int, to target: UnsafeMutablePointer<ArrowArray>) {
        let nulls = column.present.isEmpty ? 0 : column.present.count { !$0 }
        let validity = unsafe nulls == 0 ? nil : memory(bits(column.present))
        switch column.values {
        case .integers(let values):
            if case .day = column.field.kind {
                unsafe array(count, nulls: nulls, [validity, memory(values.map { Int32(clamping: $0) })], to: target)
            } else {
                unsafe array(count, nulls: nulls, [validity, memory(values)], to: target)
            }
        case .doubles(let values): unsafe array(count, nulls: nulls, [validity, memory(values)], to: target)
        case .bools(let values): unsafe array(count, nulls: nulls, [validity, memory(bits(values))], to: target)
        case .texts(let texts): unsafe write(texts, nulls, validity, to: target)
        case .dictionary(let numbers, let texts):
            unsafe array(count, nulls: nulls, [validity, memory(numbers)], to: target)
            let dictionary = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            unsafe write(texts, 0, nil, to: dictionary)
            unsafe target.pointee.dictionary = dictionary
        case .lists(let ends, let values):
            unsafe array(count, nulls: nulls, [validity, memory([0] + ends)], to: target, children: 1)
            if let item = unsafe target.pointee.children[0] {
                unsafe array(values.count, nulls: 0, [nil, memory(values)], to: item)
            }
        }
    }

    @unsafe
    private static func write(
        _ texts: ArrowTexts, _ nulls: Int, _ validity: UnsafeMutableRawPointer?,
        to target: UnsafeMutablePointer<ArrowArray>
    ) {
        unsafe array(
            texts.count, nulls: nulls, [validity, memory([0] + texts.ends), memory(texts.bytes)], to: target)
    }

    /// Initialises an array with buffers that it owns.
    @unsafe
    private static func array(
        _ count: Int, nulls: Int, _ memory: [UnsafeMutableRawPointer?], to target: UnsafeMutablePointer<ArrowArray>,
        children childCount: Int = 0
    ) {
        unsafe target.initialize(to: ArrowArray())
        unsafe target.pointee.length = Int64(count)
        unsafe target.pointee.null_count = Int64(nulls)
        unsafe target.pointee.n_buffers = Int64(memory.count)
        let buffers = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: memory.count)
        for number in unsafe memory.indices {
            unsafe (buffers + number).initialize(to: memory[number].map { unsafe UnsafeRawPointer($0) })
        }
        unsafe target.pointee.buffers = buffers
        unsafe target.pointee.n_children = Int64(childCount)
        if childCount > 0 {
            let children = UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(capacity: childCount)
            for number in 0..<childCount {
                let child = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
                unsafe child.initialize(to: ArrowArray())
                unsafe (children + number).initialize(to: child)
            }
            unsafe target.pointee.children = children
        }
        unsafe target.pointee.release = { array in
            guard let array = unsafe array else { return }
            for number in 0..<Int(unsafe array.pointee.n_children) {
                guard let child = unsafe array.pointee.children[number] else { continue }
                // A child that was moved elsewhere has no release function any more.
                unsafe child.pointee.release?(child)
                unsafe child.deallocate()
            }
            unsafe array.pointee.children?.deallocate()
            if let dictionary = unsafe array.pointee.dictionary {
                unsafe dictionary.pointee.release?(dictionary)
                unsafe dictionary.deallocate()
            }
            for number in 0..<Int(unsafe array.pointee.n_buffers) {
                unsafe free(UnsafeMutableRawPointer(mutating: array.pointee.buffers[number]))
            }
            unsafe array.pointee.buffers.deallocate()
            unsafe array.pointee.release = nil
        }
    }

    /// Copies values into memory of C's, aligned and padded as Arrow recommends.
    @unsafe
    private static func memory<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutableRawPointer {
        let size = values.count * MemoryLayout<Value>.stride
        let room = (size + 63) / 64 * 64
        guard let memory = unsafe aligned_alloc(64, max(room, 64)) else { fatalError("out of memory") }
        unsafe values.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { unsafe memory.copyMemory(from: base, byteCount: size) }
        }
        return unsafe memory
    }

    /// Returns truth values as bits, the first in the lowest bit.
    private static func bits(_ values: [Bool]) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: (values.count + 7) / 8)
        for (number, value) in values.enumerated() where value { bits[number / 8] |= 1 << UInt8(number % 8) }
        return bits
    }
}
