import SystemIO
import VaultCrypto

/// Reads ranges of the plaintext stream of a container whose end is known.
struct SegmentReader: Sendable {
    let key: ContainerKey
    /// Where the segments end in the file.
    let end: Int
    /// The salts that the index lists; empty until the index has been read.
    var salts: [[UInt8]]

    /// Number of segments.
    var count: Int { max(1, (end - ContainerFormat.headerSize + key.geometry.full - 1) / key.geometry.full) }

    /// Returns the file bytes of a segment.
    func fileSize(ofSegment index: Int) -> Int {
        index < count - 1 ? key.geometry.full : end - key.geometry.offset(ofSegment: index)
    }

    /// Length of the plaintext stream, nil if no stream ends at `end`.
    var streamLength: Int? {
        guard let last = key.geometry.plaintextSize(ofFile: fileSize(ofSegment: count - 1)) else {
            return nil
        }
        return (count - 1) * key.geometry.plaintext + last
    }

    /// Returns the salt of a segment as it is in the file.
    func salt(ofSegment index: Int, _ file: VolumeFile) throws(ContainerError) -> [UInt8] {
        guard index >= 0 else { return SegmentContext.noSalt }
        return try reading { () throws(SystemError) in
            try file.bytes(at: key.geometry.offset(ofSegment: index), count: ContainerFormat.saltSize)
        }
    }

    /// Returns the context of a segment.
    ///
    /// The salt of the segment before comes from the index if that has been read, so that damage to one segment is
    /// not blamed on the next.
    func context(
        ofSegment index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> SegmentContext {
        let previous = index - 1
        let salt = salts.indices.contains(previous) ? salts[previous] : try salt(ofSegment: previous, file)
        return SegmentContext(
            preamble: key.preamble, index: index, isFinal: index == count - 1, previousSalt: salt)
    }

    /// Opens a segment.
    ///
    /// - Throws: `segmentDamaged`, `segmentMisplaced` or `segmentReplaced`.
    func open(segment index: Int, _ file: VolumeFile) throws(ContainerError) -> SegmentOpener {
        if salts.indices.contains(index) {
            let found = try salt(ofSegment: index, file)
            if found != salts[index] { throw try diagnose(strangerAt: index, salt: found, file) }
        }
        let context = try context(ofSegment: index, file)
        guard
            let opener = try SegmentOpener(
                key: key, file: file, context: context, fileSize: fileSize(ofSegment: index))
        else { throw try diagnose(unopened: index, file) }
        DebugLog.log("opened segment \(index)")
        return opener
    }

    /// Returns why a segment does not open although its salt is not known to be wrong.
    private func diagnose(
        unopened index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> ContainerError {
        guard index >= salts.count else { return ContainerError(.segmentDamaged(segment: index)) }
        // The index does not list its salt, and perhaps not that of the segment before it.
        let diagnosis = SegmentDiagnosis(self)
        let stranger = try diagnosis.firstForeignSegment(in: salts.count...index, file)
        return try diagnosis.explain(stranger ?? index, file)
    }

    /// Returns what is wrong with a segment whose salt is not the one in the index.
    private func diagnose(
        strangerAt index: Int, salt: [UInt8], _ file: VolumeFile
    ) throws(ContainerError) -> ContainerError {
        if let place = salts.firstIndex(of: salt) {
            return ContainerError(.segmentMisplaced(segment: index, found: place))
        }
        // A segment that opens here after all was sealed with this file's key in an earlier attempt; the salt of
        // the segment before it may be of that attempt too.
        for previous in [salts[max(0, index - 1)], try self.salt(ofSegment: index - 1, file)] {
            for isFinal in [false, true] {
                let context = SegmentContext(
                    preamble: key.preamble, index: index, isFinal: isFinal,
                    previousSalt: index == 0 ? SegmentContext.noSalt : previous)
                let size = fileSize(ofSegment: index)
                if try SegmentOpener(key: key, file: file, context: context, fileSize: size) != nil {
                    return ContainerError(.segmentReplaced(segment: index))
                }
            }
        }
        let error = try SegmentDiagnosis(self).explain(index, file)
        if case .segmentReplaced = error.code { return ContainerError(.segmentReplaced(segment: index)) }
        return error
    }

    /// Appends a range of the plaintext stream, authenticated chunk by chunk.
    func read(
        _ range: Range<Int>, _ file: VolumeFile, into output: inout [UInt8]
    ) throws(ContainerError) {
        var segments = OpenSegments()
        try read(range, file, into: &output, &segments)
    }

    /// Does the same with segments that stay open for other ranges.
    func read(
        _ range: Range<Int>, _ file: VolumeFile, into output: inout [UInt8], _ segments: inout OpenSegments
    ) throws(ContainerError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let segment = position / key.geometry.plaintext
            let opened = try segments.segment(segment) { () throws(ContainerError) in
                try open(segment: segment, file)
            }
            position = try opened.open(
                position..<range.upperBound, from: segment * key.geometry.plaintext, of: file, into: &output)
        }
    }

    /// Checks the tag of every chunk of every segment, the empty last ones included.
    ///
    /// - Parameter progress: Called with the number of bytes of the file up to the end of each segment.
    func authenticate(_ file: VolumeFile, progress: (Int) -> Void) throws(ContainerError) {
        var plaintext: [UInt8] = []
        for index in 0..<count {
            var opener = try open(segment: index, file)
            try opener.authenticate(file, using: &plaintext)
            progress(key.geometry.offset(ofSegment: index) + fileSize(ofSegment: index))
        }
    }
}
