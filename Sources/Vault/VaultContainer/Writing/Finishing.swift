public import SystemIO
import VaultCrypto

/// A step of finishing a container, after all of it is written.
public enum FinishingStep: Sendable, Equatable {
    /// Waits until the drive has stored all of the file.
    case syncing
    /// Reads the file back; `done` of its bytes are authentic.
    case readingBack(done: Int, of: Int)
}

extension ContainerWriter {
    /// Writes the end, reads the whole file back, and renames it to its final name.
    ///
    /// The whole file is on the drive before any of it is read back, and only a file that was read back gets its final
    /// name.
    ///
    /// - Parameters:
    ///   - header: The header that was written at the start.
    ///   - replaced: The status of an existing container to replace; nil if there is none. Any other file at the path
    ///     is left alone.
    ///   - progress: Called at each step, and with each segment that was read back.
    /// - Returns: The size of the file.
    /// - Throws: `io` with `isExisting` if the target exists and is not to be replaced, with `isReplaced` if it is
    ///   no longer what it was; `headerTampered` if `header` is not the one at the start.
    public consuming func finish(
        _ header: SealedHeader, replacing replaced: FileStatus? = nil,
        progress: (FinishingStep) -> Void = { _ in }
    ) throws(ContainerError) -> Int {
        guard hasHeader else { throw ContainerError(.invalidUse) }
        guard kept.isEmpty else { throw ContainerError(.otherSession, entry: kept.first?.name) }
        let payload = try endPayload()
        let salts = try payloadSalts(payload)
        let footer = try appendIndex(after: payload, salts)
        try appendPadding(before: footer)
        try segments.append(footer.bytes.span)
        try segments.finish()
        let size = segments.key.geometry.fileSize(ofStream: footer.totalLength)
        let end = size - ContainerFormat.headerSize
        progress(.syncing)
        try writeSpare(header, at: end)
        try compare(header, at: 0)
        try compare(header, at: end)
        try SegmentReader(key: segments.key, end: end, salts: salts)
            .authenticate(segments.file) { done in progress(.readingBack(done: done, of: size)) }
        try rename(replacing: replaced)
        return size
    }

    /// Ends the tar stream, and returns the length of the payload.
    private mutating func endPayload() throws(ContainerError) -> Int {
        let end = TarHeader.end
        try segments.append(end.span)
        // No entry can be added any more.
        names = []
        return segments.count
    }

    /// Returns the salts that the index lists: those of all segments with payload.
    ///
    /// The last one is drawn before its segment is sealed, because it contains the start of the index.
    private mutating func payloadSalts(_ payload: Int) throws(ContainerError) -> [[UInt8]] {
        let last = payload / segments.key.geometry.plaintext
        try segments.drawSalts(through: last)
        return [[UInt8]](segments.salts[...last])
    }

    /// Appends the index, and returns the footer that describes the stream.
    private mutating func appendIndex(
        after payload: Int, _ salts: [[UInt8]]
    ) throws(ContainerError) -> Footer {
        var hash = try crypto { () throws(CryptoError) in try SHA256() }
        for frame in try index.finish(salts: salts[...]) {
            hash.update(frame.span)
            try segments.append(frame.span)
        }
        let length = segments.count - payload
        let total = Padding.total(payload: payload, index: length, geometry: segments.key.geometry)
        return Footer(
            payloadLength: payload, indexLength: length, totalLength: total, indexDigest: hash.finish())
    }

    /// Appends zero bytes up to the place of the footer.
    private mutating func appendPadding(before footer: Footer) throws(ContainerError) {
        let zeroes = [UInt8](repeating: 0, count: 1 << 16)
        var rest = footer.totalLength - ContainerFormat.footerSize - segments.count
        while rest > 0 {
            let part = min(rest, zeroes.count)
            try segments.append(zeroes.span.extracting(0..<part))
            rest -= part
        }
    }

    /// Writes the header again at the end, and waits until the drive has stored the whole file.
    private func writeSpare(_ header: SealedHeader, at end: Int) throws(ContainerError) {
        try reading { () throws(SystemError) in
            try segments.file.write(header.bytes.span, at: end)
            try segments.file.sync()
            // Data that the system has accepted is not necessarily on the drive, from which it is read back.
            segments.file.dropCache()
        }
    }

    /// Reads a header back.
    private func compare(_ header: SealedHeader, at place: Int) throws(ContainerError) {
        let copy = try reading { () throws(SystemError) in
            try segments.file.bytes(at: place, count: ContainerFormat.headerSize)
        }
        guard copy == header.bytes else { throw ContainerError(.headerTampered) }
    }

    /// Renames the file, or each of its volumes, to its final name.
    ///
    /// The file is still locked, so that no other process mistakes it for one that was left behind.
    private func rename(replacing replaced: FileStatus?) throws(ContainerError) {
        try reading { () throws(SystemError) in
            guard volumes.isNumbered || segments.file.volumeCount > 1 else {
                try unfinished.folder.rename(
                    unfinished.name, being: unfinished.status, to: path.name, replacing: replaced)
                return
            }
            // The first volume is renamed last: until then, the container is not finished.
            try segments.file.nameVolumes(of: path.name)
            try unfinished.folder.rename(
                unfinished.name, being: unfinished.status, to: VolumeName.volume(1, of: path.name))
            if let replaced { try unfinished.folder.removeFile(path.name, being: replaced) }
        }
    }
}
