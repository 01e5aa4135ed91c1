import HealthModel
import SystemIO
import VaultContainer
import VaultCrypto

/// One pass over what is left of a container.
struct RecoveryRun {
    private let destination: FolderDestination
    private let progress: ProgressHandler
    private let decoder: BatchDecoder
    private var report = RecoveryReport()
    private var manifest: ManifestReader.Result?
    /// Names of plain files that were written whole.
    private var saved: Set<ExactName> = []
    private var taken: Set<ExactName> = [
        ExactName(RecoveryReport.fileName), ExactName(EntryPath.checksums),
    ]

    /// Larger entries are not decoded in memory; the writers make none.
    private static let largest = BatchDecoder.largestContent
    private static let pieceSize = 1 << 20

    init(destination: FolderDestination, progress: @escaping ProgressHandler) throws {
        self.destination = destination
        self.progress = progress
        decoder = try BatchDecoder()
    }

    mutating func recover(_ salvage: inout ContainerSalvage) throws -> RecoveryReport {
        report.hasIndex = salvage.hasIndex
        let entries = salvage.entries
        var state = Progress(total: entries.reduce(0) { $0 + $1.range.count })
        var number = 0
        while number < entries.count {
            let group = Self.group(entries, from: number)
            state.subject = entries[number].name ?? ""
            if let path = Self.piece(entries[number])?.path {
                try recoverFile(path, entries[group], &salvage)
            } else {
                try recover(entries[number], &salvage)
            }
            state.done += entries[group].reduce(0) { $0 + $1.range.count }
            number = group.upperBound
            progress(state)
        }
        report.lostChunks = salvage.lostChunks
        compareWithManifest()
        return report
    }

    /// The pieces of one side file that stand together, or a single entry.
    private static func group(_ entries: [SalvagedEntry], from number: Int) -> Range<Int> {
        guard let path = piece(entries[number])?.path else { return number..<(number + 1) }
        var end = number + 1
        while end < entries.count, let next = piece(entries[end]), next.path.utf8.elementsEqual(path.utf8) {
            end += 1
        }
        return number..<end
    }

    private static func piece(_ entry: SalvagedEntry) -> (path: String, number: Int)? {
        guard let name = entry.name, case .piece(let path, let number) = StoredEntry(name) else { return nil }
        return (path, number)
    }

    // Entries --------------------------------------------------------------------------------------------------------

    private mutating func recover(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws {
        guard let bytes = try whole(entry, &salvage), let name = entry.name else {
            try keepDamaged(entry, &salvage)
            return
        }
        do {
            let plain = try decoder.plain(name, bytes)
            if name == EntryPath.manifest {
                manifest = try ManifestReader.read(plain.bytes)
                report.hasManifest = true
            }
            guard taken.insert(ExactName(plain.name)).inserted else {
                throw VaultError(.manifestMismatch, path: name)
            }
            try destination.addFile(plain.name, plain.bytes)
            saved.insert(ExactName(plain.name))
            report.wholeEntries += 1
            report.wholeBytes += entry.range.count
        } catch let error as VaultError {
            // It is authentic and yet not what its name says: without an index a wrong place may have been taken for it.
            switch error.code {
            case .io: throw error
            default: try keepDamaged(entry, &salvage)
            }
        }
    }

    /// The bytes of an entry, nil where some are lost or others than the index says.
    private func whole(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws -> [UInt8]? {
        guard entry.range.count <= Self.largest else { return nil }
        let (bytes, lost) = try salvage.read(entry.range)
        guard lost.isEmpty else { return nil }
        if let digest = entry.sha256, try SHA256.digest(of: bytes.span) != digest { return nil }
        return bytes
    }

    /// Writes what is left of an entry as it rests in the container.
    private mutating func keepDamaged(_ entry: SalvagedEntry, _ salvage: inout ContainerSalvage) throws {
        var name = (entry.name ?? "unnamed/\(entry.range.lowerBound)") + Recoverer.suffix
        while !taken.insert(ExactName(name)).inserted { name += "~" }
        var lost: [Range<Int>] = []
        try forEachPart(entry.range, &salvage) { start, part in
            lost += part.lost.map { ($0.lowerBound + start)..<($0.upperBound + start) }
        }
        report.damaged.append(
            RecoveryReport.Damage(name: entry.name ?? "", length: entry.range.count, lost: Self.joined(lost)))
        guard lost.reduce(0, { $0 + $1.count }) < entry.range.count else { return }
        try forEachPart(entry.range, &salvage) { _, part in try destination.append(part.bytes, to: name) }
        try destination.endFile(name)
    }

    private func forEachPart(
        _ range: Range<Int>, _ salvage: inout ContainerSalvage,
        _ body: (Int, (bytes: [UInt8], lost: [Range<Int>])) throws -> Void
    ) throws {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Self.pieceSize, range.upperBound)
            try body(start - range.lowerBound, try salvage.read(start..<end))
            start = end
        }
    }

    /// Ranges that touch as one.
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

    /// Puts a side file together; a lost piece becomes zeroes, so that what follows stays in its place.
    private mutating func recoverFile(
        _ path: String, _ pieces: ArraySlice<SalvagedEntry>, _ salvage: inout ContainerSalvage
    ) throws {
        var next = 0
        var isWhole = true
        for entry in pieces {
            let isDue = Self.piece(entry)?.number == next
            next += 1
            if isDue, let bytes = try whole(entry, &salvage),
                (try? decoder.decompress(bytes, entry.name ?? "")) != nil
            {
                continue
            }
            isWhole = false
        }
        let name = isWhole ? path : path + Recoverer.suffix
        guard taken.insert(ExactName(name)).inserted else { return }
        next = 0
        // One file is written after the other.
        var holes: [SalvagedEntry] = []
        for entry in pieces {
            let number = Self.piece(entry)?.number ?? next
            while next < number, next < Self.mostPieces {
                try destination.append([UInt8](repeating: 0, count: SideFileReader.pieceSize), to: name)
                next += 1
            }
            next += 1
            if let bytes = try whole(entry, &salvage),
                let content = try? decoder.decompress(bytes, entry.name ?? "")
            {
                report.wholeEntries += 1
                report.wholeBytes += entry.range.count
                try destination.append(content, to: name)
            } else {
                holes.append(entry)
                try destination.append([UInt8](repeating: 0, count: SideFileReader.pieceSize), to: name)
            }
        }
        try destination.endFile(name)
        for entry in holes { try keepDamaged(entry, &salvage) }
        if isWhole { saved.insert(ExactName(path)) }
    }

    /// A crafted number must not fill the disk with zeroes.
    private static let mostPieces = 1 << 16

    // The manifest ---------------------------------------------------------------------------------------------------

    private mutating func compareWithManifest() {
        guard let manifest else { return }
        for span in manifest.manifest.spans where span.parts > 0 {
            for part in 1...span.parts {
                var key = span.key
                key.part = part
                let path = EntryPath.batch(key)
                if !saved.contains(ExactName(path + EntryPath.linesSuffix)) {
                    report.lostBatches.append(path)
                }
            }
        }
        for file in manifest.manifest.files where !saved.contains(ExactName(file.path)) {
            report.lostFiles.append(file.path)
        }
    }
}
