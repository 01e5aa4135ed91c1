/// The input to a segment's keys besides the file's key: the archive, the segment's place, whether it is the last,
/// and the segment before it.
struct SegmentContext: Sendable {
    let preamble: [UInt8]
    let index: Int
    let isFinal: Bool
    let previousSalt: [UInt8]

    static let noSalt = [UInt8](repeating: 0, count: ContainerFormat.saltSize)

    var bytes: [UInt8] {
        var bytes = preamble
        bytes.appendInteger(UInt64(index))
        bytes.append(isFinal ? 1 : 0)
        return bytes + previousSalt
    }
}
