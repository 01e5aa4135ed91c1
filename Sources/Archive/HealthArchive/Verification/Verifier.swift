import AppleHealthExport
import ByteText
import DataCompression
import HealthFormats
import SampleBatches
public import SystemIO
public import VaultContainer

/// An operation that checks whether an archive contains what it should.
public struct Verifier: Sendable {
    /// The container or plain folder.
    public var archive: BytePath
    /// The source to compare with; nil for none.
    public var source: BytePath?
    /// The number of threads.
    public var jobs = CurrentProcess.processorCount
    /// Called with the progress.
    public var progress: ProgressHandler = { _ in }

    /// Returns whether to stop; called repeatedly.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// The opened source, if it is an archive.
    private var openSource: StoredExport?

    /// Makes a verifier of `archive`.
    public init(archive: BytePath) { self.archive = archive }

    /// Opens a container as the source to compare with.
    ///
    /// - Throws: `VaultError` if the container cannot be opened.
    public mutating func setSource(container path: BytePath, key: ArchiveKey) throws(VaultError) {
        source = path
        do { openSource = try StoredExport(container: path, key: key) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Leaves out the source.
    mutating func removeSource() {
        source = nil
        openSource = nil
    }

    /// Checks a container: every tag, digest, header and padding byte, then every batch and file against the manifest.
    ///
    /// - Throws: `VaultError` if it cannot be opened or read at all; damage is reported.
    public func verifyContainer(key: ArchiveKey) async throws(VaultError) -> VerificationReport {
        let start = SystemClock.uptime()
        var report = VerificationReport()
        do {
            let chain = try ContainerChain(opening: archive, key: key, acceptingDamage: true)
            report.keyDerivationSeconds = chain.keyDerivationSeconds
            report.warnings = chain.warnings
            report.predecessorWarnings = chain.predecessorWarnings
            report.continues = chain.links.dropFirst().map(\.path)
            report.size = chain.size
            try authenticate(chain, &report)
            if report.problems.isEmpty { try await checkContents(of: chain, &report) }
            report.seconds = SystemClock.uptime() - start
            return report
        } catch { throw VaultError.wrapping(error, path: archive) }
    }

    /// Checks every byte of each container.
    private func authenticate(_ chain: ContainerChain, _ report: inout VerificationReport) throws {
        var before = 0
        for (number, link) in chain.links.enumerated() {
            try VaultError.checkInterruption(of: archive, isInterrupted)
            let check = try link.reader.verify { done, _ in
                progress(VaultProgress(.authenticating, done: before + done, total: chain.size))
            }
            before += link.reader.size
            report.problems += check.problems.map { error in
                number == 0 ? .container(error) : .predecessor(path: link.path, error)
            }
            report.affectedEntries += check.affectedEntries
            report.losses += Self.losses(Set(check.affectedEntries), among: link.reader.entries)
        }
    }

    /// Returns the samples in some entries; the parts of a span are added up.
    private static func losses(
        _ names: Set<BytePath>, among entries: [ContainerEntry]
    ) -> [VerificationReport.Loss] {
        var counts: [SampleBatch.Key: LengthSum] = [:]
        for entry in entries where names.contains(entry.name) {
            guard let element = entry.text("element"), Manifest.isSample(element) else { continue }
            let key = SampleBatch.Key(
                element: element, type: entry.text("type") ?? "", span: entry.text("span") ?? "", part: 0)
            counts[key, default: LengthSum()].add(entry.number("count") ?? 0)
        }
        return counts.sorted { $0.key < $1.key }.map { key, count in
            VerificationReport.Loss(type: key.displayType, span: key.span, samples: count.value)
        }
    }

    private func checkContents(of reader: ContainerChain, _ report: inout VerificationReport) async throws {
        let expected = try ManifestReader.read(try reader.manifest())
        report.manifest = expected
        var check = ContentCheck(expected)
        var files = FileSums()
        var state = VaultProgress(.checking, total: reader.entries.total(\.length))
        var undecodable: [BytePath] = []
        try await reader.read(reader.entries, jobs: jobs) { decoder, work, bounds in
            try EntryFacts(work, decoder, bounds)
        } use: {
            Self.record($0, &check, &files, &undecodable)
        } didRead: { entry in
            state.done += entry.length
            progress(state)
            try VaultError.checkInterruption(of: archive, isInterrupted)
        }
        files.finishFile(&check)
        report.problems += undecodable.map { .undecodable(path: $0) }
        report.problems += check.problems(holdsGone: true)
        try await compareSource(expected, try StoredExport.both(reader), &report)
    }

    func compareSource(
        _ expected: Manifest,
        _ archive: @autoclosure () throws -> (newest: StoredExport, gone: StoredExport?),
        _ report: inout VerificationReport
    ) async throws {
        guard let source else { return }
        let (newest, gone) = try archive()
        let check = SourceCheck(
            source: source, archive: newest, archiveGone: gone, jobs: jobs, progress: progress,
            isInterrupted: isInterrupted)
        var stored = openSource
        if stored == nil, Inspector.kind(of: source) == .plainFolder {
            stored = try StoredExport(folder: source)
        }
        let outcome =
            if let stored { try await check.compare(expected, stored) } else {
                try await check.compare(expected)
            }
        report.problems += outcome.problems
        report.isSameDocument = outcome.isSameDocument
        report.excess = outcome.excess
        report.comparedSource = true
    }

    private static func record(
        _ facts: EntryFacts, _ check: inout ContentCheck, _ files: inout FileSums,
        _ undecodable: inout [BytePath]
    ) {
        switch facts {
        case .batch(let key, let isGone, let sum): check.record(key, isGone: isGone, sum)
        case .piece(let path, let bytes): files.add(path, bytes, &check)
        case .undecodable(let name): undecodable.append(name)
        case .other: break
        }
    }
}

/// The facts about an entry that a check needs.
enum EntryFacts: Sendable {
    case batch(SampleBatch.Key, isGone: Bool, IdentitySum)
    case piece(path: BytePath, bytes: [UInt8])
    case undecodable(name: BytePath)
    case other

    /// Decodes an entry for a check.
    ///
    /// - Throws: `batchTooLarge` if the entry may be within larger bounds; any other failure makes it undecodable.
    init(_ work: EntryBytes, _ decoder: BatchDecoder, _ bounds: BatchDecoder.Bounds) throws {
        do {
            switch StoredEntry(work.name) {
            case .batch(let name):
                let batch = try decoder.identity(work.bytes, work.name, within: bounds)
                // A batch with the name of another one would never be found.
                guard EntryPath.batch(batch.key, isGone: batch.isGone) == name.stem else {
                    self = .undecodable(name: work.name)
                    return
                }
                self = .batch(batch.key, isGone: batch.isGone, batch.sum)
            case .piece(let path, _):
                self = .piece(path: path, bytes: try decoder.file(work.bytes, work.name))
            case .file: self = .piece(path: work.name, bytes: work.bytes)
            case .prologue:
                _ = try decoder.prologue(work.bytes, work.name)
                self = .other
            case .session, .manifest, .other: self = .other
            }
        } catch let error as VaultError
            where error.code == .batchTooLarge && bounds.text < BatchDecoder.Bounds.largest.text
        {
            throw error
        } catch { self = .undecodable(name: work.name) }
    }
}

/// The length and checksum of a file, computed from consecutive pieces and recorded when the next file starts.
struct FileSums {
    private var path: BytePath?
    private var length = 0
    private var checksum = CRC32()

    mutating func add(_ path: BytePath, _ bytes: [UInt8], _ check: inout ContentCheck) {
        if self.path != path {
            finishFile(&check)
            self.path = path
        }
        length += bytes.count
        checksum.update(bytes.span)
    }

    mutating func finishFile(_ check: inout ContentCheck) {
        if let path { check.record(file: path, length: length, crc32: checksum.value) }
        self = FileSums()
    }
}
