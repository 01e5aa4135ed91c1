import JSONText
import SampleBatches

/// Caches contexts by their text, because batches of a type share most of them.
struct ContextCache: Sendable {
    private var contexts: [HashedBytes: BatchContext] = [:]
    private var size = 0

    /// The largest total size of the cached texts, in bytes.
    private static let limit = 1 << 16

    /// Reads the next context.
    mutating func context(_ reader: inout JSONReader) throws -> BatchContext {
        var ahead = reader
        let text = HashedBytes([UInt8](reader.bytes[try ahead.skip()]))
        if let known = contexts[text] {
            reader = ahead
            return known
        }
        let context = try BatchContext(&reader)
        guard text.bytes.count <= Self.limit else { return context }
        if size + text.bytes.count > Self.limit {
            contexts.removeAll(keepingCapacity: true)
            size = 0
        }
        contexts[text] = context
        size += text.bytes.count
        return context
    }
}
