public import SystemIO
import VaultCrypto

extension ContainerReader {
    /// The result of a complete check.
    public struct Verification: Sendable {
        /// The problems found, in the order of the file.
        public let problems: [ContainerError]
        /// The entries that cannot be read because of them.
        public let affectedEntries: [BytePath]
    }

    /// Reads every byte from the drive and checks every tag, every digest, the tar headers and the padding.
    ///
    /// Bytes that the drive cannot read are reported like any other damage.
    ///
    /// - Parameter progress: Called with the number of bytes checked so far, and the size of the file.
    /// - Returns: The problems; none if all is well.
    /// - Throws: `io` if the file cannot be read for another reason.
    public func verify(progress: (Int, Int) -> Void = { _, _ in }) throws(ContainerError) -> Verification {
        file.dropCache()
        var problems: [ContainerError] = []
        var damaged: [Range<Int>] = []
        var plaintext: [UInt8] = []
        for index in 0..<segments.count {
            try authenticate(segment: index, using: &plaintext, &problems, &damaged)
            progress(
                segments.key.geometry.offset(ofSegment: index) + segments.fileSize(ofSegment: index), fileSize
            )
        }
        guard problems.isEmpty else {
            return Verification(problems: problems, affectedEntries: names(in: damaged))
        }
        do { try checkHeaders() } catch { try recordOrThrow(error, in: &problems) }
        do { try checkMembers() } catch { try recordOrThrow(error, in: &problems) }
        do { try checkPadding() } catch { try recordOrThrow(error, in: &problems) }
        return Verification(problems: problems, affectedEntries: problems.compactMap(\.entry))
    }

    /// Returns the names of the entries in some ranges of the stream; for a bundle, those of its members.
    private func names(in damaged: [Range<Int>]) -> [BytePath] {
        entries.filter { entry in
            let holder = if case .bundle(let number) = entry.place { bundles[number].entry } else { entry }
            let range = holder.offset..<max(holder.range.upperBound, holder.offset + 1)
            return damaged.contains { $0.overlaps(range) }
        }.map(\.name)
    }

    /// Records an error as a problem, or throws it if the file cannot be read.
    private func recordOrThrow(_ error: ContainerError, in problems: inout [ContainerError])
        throws(ContainerError)
    {
        if case .io = error.code { throw error }
        problems.append(error)
    }

    /// Checks a segment as a whole and, if that fails, chunk by chunk, so that only damaged chunks are reported.
    private func authenticate(
        segment index: Int, using plaintext: inout [UInt8], _ problems: inout [ContainerError],
        _ damaged: inout [Range<Int>]
    ) throws(ContainerError) {
        let start = index * segments.key.geometry.plaintext
        var opener: SegmentOpener
        do throws(ContainerError) { opener = try segments.open(segment: index, file) } catch {
            if error.isDeviceFailure {
                problems.append(ContainerError(.segmentUnreadable(segment: index)))
            } else if error != problems.last {
                // A damaged salt prevents the next segment from opening, too.
                try recordOrThrow(error, in: &problems)
            }
            damaged.append(start..<(start + segments.key.geometry.plaintext))
            return
        }
        let isHardToRead: Bool
        do throws(ContainerError) {
            try opener.authenticate(file, using: &plaintext)
            return
        } catch {
            guard error.isDeviceFailure || error.isChunkDamage else { throw error }
            isHardToRead = error.isDeviceFailure
        }
        let known = problems.count
        for chunk in 0..<opener.chunkCount {
            plaintext.removeAll(keepingCapacity: true)
            do throws(ContainerError) {
                try opener.open(chunks: chunk..<(chunk + 1), of: file, into: &plaintext)
            } catch {
                let isUnreadable = error.isDeviceFailure
                try recordOrThrow(
                    isUnreadable ? ContainerError(.chunkUnreadable(segment: index, chunk: chunk)) : error,
                    in: &problems)
                let place = start + chunk * ContainerFormat.chunkSize
                damaged.append(place..<(place + ContainerFormat.chunkSize))
            }
        }
        if isHardToRead, problems.count == known {
            problems.append(ContainerError(.segmentHardToRead(segment: index)))
        }
    }

    /// Checks that both headers exist, are authentic, and are the same.
    private func checkHeaders() throws(ContainerError) {
        guard segments.end == fileSize - ContainerFormat.headerSize else { throw ContainerError(.truncated) }
        guard
            warnings.isDisjoint(with: [.primaryHeaderDamaged, .spareHeaderDamaged, .headerGenerationsDiffer])
        else {
            throw ContainerError(.headersDiffer)
        }
    }

    /// Checks that the payload is the tar stream that the index describes, and nothing else.
    private func checkMembers() throws(ContainerError) {
        var cursor = EntryCursor()
        var position = 0
        for entry in payload {
            _ = try tarHeader(at: position, of: entry, &cursor)
            _ = try cursor.data(of: entry, in: self)
            let end = entry.range.upperBound
            position = end + TarHeader.padding(after: entry.length)
            try checkZeroes(try cursor.bytes(end..<position, in: self))
        }
        guard position + TarHeader.end.count == footer.payloadLength else { throw ContainerError(.badFooter) }
        try checkZeroes(try cursor.bytes(position..<footer.payloadLength, in: self))
        for (number, bundle) in bundles.enumerated() {
            try cursor.content(ofBundle: number, in: self)
                .check(Array(entries[bundle.members]), name: bundle.entry.name)
        }
    }

    /// Returns the tar header of an entry, which must match the index in everything but its time.
    ///
    /// - Throws: `entryMismatch` if it does not.
    func tarHeader(
        at position: Int, of entry: ContainerEntry, _ cursor: inout EntryCursor
    ) throws(ContainerError) -> [UInt8] {
        guard (TarHeader.blockSize...TarHeader.largest).contains(entry.offset - position),
            entry.offset <= footer.payloadLength,
            let header = TarHeader.expected(
                in: try cursor.bytes(position..<entry.offset, in: self), name: entry.name, size: entry.length)
        else { throw ContainerError(.entryMismatch, entry: entry.name) }
        return header
    }

    private func checkPadding() throws(ContainerError) {
        var position = footer.payloadLength + footer.indexLength
        let end = footer.totalLength - ContainerFormat.footerSize
        var bytes: [UInt8] = []
        while position < end {
            let next = min(position + (1 << 20), end)
            bytes.removeAll(keepingCapacity: true)
            try segments.read(position..<next, file, into: &bytes)
            try checkZeroes(bytes)
            position = next
        }
    }

    func checkZeroes(_ bytes: [UInt8]) throws(ContainerError) {
        guard bytes.allSatisfy({ $0 == 0 }) else { throw ContainerError(.badFooter) }
    }
}
