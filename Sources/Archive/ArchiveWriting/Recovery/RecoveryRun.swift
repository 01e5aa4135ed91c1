import ByteText
import DataCompression
import HealthArchive
import SystemIO
import VaultContainer
import VaultCrypto

/// A recovery pass over what is left of a container.
struct RecoveryRun {
    private let destination: FolderDestination
    private let progress: ProgressHandler
    private let isInterrupted: @Sendable () -> Bool
    private let target: BytePath
    private let decoder: BatchDecoder
    private var report = RecoveryReport()
    private var manifest: Manifest?
    private var continuation: Continuation?
    /// The files of the manifest by their paths.
    private var files: [BytePath: Manifest.File] = [:]
    /// The names of plain files that were written whole.
    private var saved: Set<BytePath> = []
    private var names: RecoveredNames
    /// The number of lost pieces of side files that can still be replaced by zeroes.
    private var mostHoles = 0

    private static let partSize = 1 << 20
    /// The maximum number of lost batches to list, in addition to the number of entries.
    private static let mostUnlisted = 1000
    /// The minimum size of a lost piece, in bytes: a block for its header, and one for its frame.
    private static let leastPiece = 1024
    /// The number of names that are tried if the file system confuses one with that of another file.
    private static let mostNames = 4

    init(
        to target: BytePath, destination: FolderDestination, progress: @escaping ProgressHandler,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws {
        self.target = target
        self.destination = destination
        self.progress = progress
        self.isInterrupted = isInterrupted
        decoder = try BatchDecoder()
        names = RecoveredNames([])
    }

    mutating func recover(_ salvage: inout ContainerSalvage) throws -> RecoveryReport {
        report.hasIndex = salvage.hasIndex
        let entries = salvage.entries
        names = RecoveredNames(entries.compactMap(\.name))
        // With an index, no piece is missing; without it, at most as many as fit into the stretches without a name.
        mostHoles =
            salvage.hasIndex ? 0 : entries.filter { $0.name == nil }.total(\.length) / Self.leastPiece
        try readSession(entries, &salvage)
        try readManifest(entries, &salvage)
        let pieces = Self.pieces(entries)
        var state = VaultProgress(total: entries.total(\.size))
        for (number, entry) in entries.enumerated() {
            state.subject = entry.name?.description ?? ""
            if let path = Self.piece(entry)?.path {
                // All pieces of a file are recovered together, at the place of the first one.
                let mine = pieces[path] ?? []
                if mine.first == number { try recoverFile(path, mine.map { entries[$0] }, &salvage) }
            } else {
                try recover(entry, &salvage)
            }
            state.done += entry.size
            progress(state)
            try VaultError.checkInterruption(of: target, isInterrupted)
        }
        report.missingVolumes = salvage.missingVolumes
        report.lostChunks = salvage.lostChunks
        compareWithManifest(limit: entries.count)
        return report
    }

    /// Reads the record of a predecessor: a further container has only part of what its manifest lists.
    private mutating func readSession(_ entries: [SalvagedEntry], _ salvage: inout ContainerSalvage) throws {
        guard let entry = entries.first, entry.name == EntryPath.session,
            let bytes = try whole(entry, &salvage),
            let continuation = try? Continuation(session: bytes)
        else { return }
        self.continuation = continuation
        report.continues = continuation.name
    }

    /// Reads the manifest before the other entries, because it contains the lengths of files.
    private mutating func readManifest(_ entries: [SalvagedEntry], _ salvage: inout ContainerSalvage) throws {
        guard let entry = entries.last(where: { $0.name == EntryPath.storedManifest }),
            let stored = try whole(entry, &salvage), let bytes = try? decoder.manifest(stored),
            let manifest = try? ManifestReader.read(bytes)
        else { return }
        self.manifest = manifest
        for file in manifest.files { files[file.path] = file }
        report.hasManifest = true
    }

    /// Returns, for each side file, the indices of the entries that contain its pieces.
    private static func pieces(_ entries: [SalvagedEntry]) -> [BytePath: [Int]] {
        var pieces: [BytePath: [Int]] = [:]
        for (number, entry) in entries.enumerated() {
            if let path = piece(entry)?.path { pieces[path, default: []].append(number) }
        }
        return pieces
    }

    private static func piece(_ entry: SalvagedEntry) -> (path: BytePath, number: Int)? {
        guard let name = entry.name, case .piece(let path, let number) = StoredEntry(name) else { return nil }
        return (path, number)
    }

    // Entries --------------------------------------------------------------------------------------------------------

    private mutating func recover(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws {
        guard let name = entry.name, let bytes = try whole(entry, &salvage),
            let plain = try? decoder.plain(name, bytes)
        else {
            try keepDamaged(entry, &salvage)
            return
        }
        // The description of how the container was made is not part of the plain folder.
        if name != EntryPath.session {
            let isWritten = try write(names.reservePlain(plain.name)) {
                try destination.addFile($0, plain.bytes)
            }
            guard isWritten else {
                try keepDamaged(entry, &salvage)
                return
            }
            saved.insert(plain.name)
            if let batch = StoredEntry(name).batch, !batch.isGone {
                report.samples += Self.sampleCount(plain.bytes)
            }
        }
        report.wholeEntries += 1
        report.wholeBytes += entry.size
    }

    /// Returns the number of samples in the lines of a batch; 0 for elements that are not samples.
    private static func sampleCount(_ lines: [UInt8]) -> Int {
        let start = lines.dropFirst(#"{"element":""#.utf8.count)
        let element = String(decoding: start.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        return Manifest.isSample(element) ? lines.count { $0 == UInt8(ascii: "\n") } : 0
    }

    /// Writes a file and returns whether that succeeded: a name that the file system does not accept must not end the
    /// recovery.
    private func write(
        _ name: @autoclosure () -> BytePath, _ body: (BytePath) throws -> Void
    ) throws -> Bool {
        for _ in 0..<Self.mostNames {
            let name = name()
            do {
                try body(name)
                return true
            } catch let error as SystemError where error.isOutOfSpace || error.isDeviceFailure {
                throw error
            } catch let error as VaultError where error.code == .interrupted {
                throw error
            } catch let error as SystemError where error.isExisting {
                // The file system confuses the name with that of another file, which is left unchanged.
                destination.closeFile()
            } catch {
                destination.dropFile(name)
                return false
            }
        }
        return false
    }

    /// Returns the bytes of an entry; nil if some are lost or differ from the index.
    private func whole(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws -> [UInt8]? {
        guard entry.length == entry.size, entry.length <= ContainerFormat.largestEntry else {
            return nil
        }
        var bytes: [UInt8] = []
        var start = 0
        while start < entry.size {
            let end = min(start + Self.partSize, entry.size)
            let part = try salvage.read(entry, start..<end)
            guard part.lost.isEmpty else { return nil }
            bytes += part.bytes
            start = end
        }
        if let digest = entry.sha256, try SHA256.digest(of: bytes.span) != digest { return nil }
        return bytes
    }

    /// Writes the remaining bytes of an entry as they are stored in the container.
    private mutating func keepDamaged(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws {
        var lost: [Range<Int>] = []
        try forEachPart(of: entry, &salvage) { start, part in
            lost += part.lost.map { ($0.lowerBound + start)..<($0.upperBound + start) }
        }
        if entry.length > entry.size { lost.append(entry.size..<entry.length) }
        report.damaged.append(
            RecoveryReport.Damage(name: entry.name ?? "", length: entry.length, lost: Self.joined(lost)))
        guard lost.total(\.count) < entry.length else { return }
        let unnamed: BytePath = "unnamed/\(entry.offset)"
        for stem in [entry.name ?? unnamed, unnamed] {
            let isWritten = try write(names.reserveRecovered(stem)) { name in
                try forEachPart(of: entry, &salvage) { _, part in
                    try destination.append(part.bytes, to: name)
                }
                try destination.endFile(name)
            }
            if isWritten { return }
        }
    }

    private func forEachPart(
        of entry: SalvagedEntry, _ salvage: inout ContainerSalvage,
        _ body: (Int, (bytes: [UInt8], lost: [Range<Int>])) throws -> Void
    ) throws {
        var start = 0
        while start < entry.size {
            let end = min(start + Self.partSize, entry.size)
            try body(start, try salvage.read(entry, start..<end))
            start = end
        }
    }

    /// Returns the ranges with adjacent ones merged.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }

    // Side files -----------------------------------------------------------------------------------------------------

    /// Assembles a side file, with zeroes for lost pieces, so that the bytes after them stay in place.
    private mutating func recoverFile(
        _ path: BytePath, _ pieces: [SalvagedEntry], _ salvage: inout ContainerSalvage
    ) throws {
        let isWhole = try isWhole(path, pieces, &salvage)
        var damaged: [SalvagedEntry] = []
        var holes = 0
        let zeroes = [UInt8](repeating: 0, count: SideFileReader.pieceSize)
        let isWritten = try write(isWhole ? names.reservePlain(path) : names.reserveRecovered(path)) { name in
            damaged = []
            holes = 0
            var next = 0
            for entry in pieces {
                try VaultError.checkInterruption(of: target, isInterrupted)
                let number = Self.piece(entry)?.number ?? next
                if number > next, number - next <= mostHoles - holes {
                    for _ in next..<number { try destination.append(zeroes, to: name) }
                    holes += number - next
                    next = number
                }
                next += 1
                if let content = try content(entry, &salvage) {
                    try destination.append(content, to: name)
                } else {
                    try destination.append(zeroes, to: name)
                    damaged.append(entry)
                }
            }
            try destination.endFile(name)
        }
        if isWritten {
            mostHoles -= holes
            report.wholeEntries += pieces.count - damaged.count
            report.wholeBytes += pieces.total(\.size) - damaged.total(\.size)
        } else {
            damaged = pieces
        }
        for entry in damaged { try keepDamaged(entry, &salvage) }
        if isWhole, isWritten { saved.insert(path) }
    }

    /// Returns whether all pieces are there in sequence, and make up the file that the manifest lists.
    private func isWhole(
        _ path: BytePath, _ pieces: [SalvagedEntry], _ salvage: inout ContainerSalvage
    ) throws -> Bool {
        var length = 0
        var checksum = CRC32()
        var last = 0
        for (number, entry) in pieces.enumerated() {
            guard Self.piece(entry)?.number == number, let content = try content(entry, &salvage) else {
                return false
            }
            length += content.count
            checksum.update(content.span)
            last = content.count
        }
        if let file = files[path] {
            return file.length == length && file.crc32 == checksum.value
        }
        // The index names all pieces; without it, only a short one is known to be the last.
        return report.hasIndex || last < SideFileReader.pieceSize
    }

    private func content(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws -> [UInt8]? {
        guard let bytes = try whole(entry, &salvage) else { return nil }
        return try? decoder.file(bytes, entry.name ?? "")
    }

    // The manifest ---------------------------------------------------------------------------------------------------

    /// Reports as lost what is in the manifest but not in the folder.
    private mutating func compareWithManifest(limit: Int) {
        guard let manifest else { return }
        guard continuation == nil else {
            // The contents of the predecessor are not lost, and only the predecessor records which batches it lacks.
            let superseded = continuation?.supersedes ?? []
            for path in superseded where files[path] != nil && !saved.contains(path) {
                report.lostFiles.append(path)
            }
            return
        }
        report.lostSamples = max(0, manifest.sampleCount - report.samples)
        // A manifest that counts more parts than there can be must not result in a list of unlimited length.
        var rest = limit + Self.mostUnlisted
        for span in manifest.spans {
            for key in span.batchKeys(limit: rest) {
                let path = EntryPath.batch(key)
                if saved.contains(path + EntryPath.linesSuffix) { continue }
                report.lostBatches.append(path)
                rest -= 1
            }
        }
        for file in manifest.files where !saved.contains(file.path) {
            report.lostFiles.append(file.path)
        }
    }
}
