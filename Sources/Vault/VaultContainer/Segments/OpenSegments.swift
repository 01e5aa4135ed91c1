import Synchronization
import SystemIO

/// Segments that stay open for a reader of many ranges.
///
/// To derive the keys of a segment costs as much as to decrypt several of its chunks.
struct OpenSegments: Sendable {
    /// A segment whose keys are known.
    final class Segment: Sendable {
        private let opener: Mutex<SegmentOpener>

        init(_ opener: consuming sending SegmentOpener) { self.opener = Mutex(opener) }

        /// Reads as much of a range of the stream as the segment contains.
        func open(
            _ range: Range<Int>, from start: Int, of file: VolumeFile, into output: inout [UInt8]
        ) throws(ContainerError) -> Int {
            try opener.withLock { (opener) throws(ContainerError) in
                try opener.open(range, from: start, of: file, into: &output)
            }
        }
    }

    private var segments: [Int: Segment] = [:]

    /// The number of segments that stay open.
    private static let most = 64

    /// Returns a segment, opened by `body` unless it is open.
    mutating func segment(
        _ number: Int, _ body: () throws(ContainerError) -> sending SegmentOpener
    ) throws(ContainerError) -> Segment {
        if let known = segments[number] { return known }
        if segments.count == Self.most { segments.removeAll() }
        let opened = Segment(try body())
        segments[number] = opened
        return opened
    }
}
