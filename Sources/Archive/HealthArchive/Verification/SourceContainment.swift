import ByteText
import HealthModel
import SampleBatches
import SystemIO

/// A check whether an archive contains all of a source that differs from it, such as an earlier export.
///
/// Spans with the same count and sum of identities have the same samples; only those of other spans are read.
struct SourceContainment {
    let archive: StoredExport
    /// The samples in the archive that only earlier exports had.
    let gone: StoredExport?
    /// The sums of the source.
    let source: [SampleBatch.Key: IdentitySum]
    /// Whether sums are those of types, because source and archive have other spans.
    let isByType: Bool
    let sourceDate: Timestamp?
    let sourceFiles: Set<BytePath>

    /// The number of samples of the archive whose identities are in memory at a time.
    private static let samplesAtOnce = 1 << 20

    /// Calls its second argument with the rows of the source whose keys are in the first.
    typealias Pass = (Set<SampleBatch.Key>, (SampleBatch.Key, SampleBatch) -> Void) throws -> Void

    /// Returns what the archive has beyond the source; nil if the source has something that the archive lacks.
    ///
    /// - Parameters:
    ///   - problems: The differences.
    ///   - read: Reads rows of the source.
    func excess(
        _ problems: [VerificationReport.Problem], reading read: Pass
    ) throws -> VerificationReport.Excess? {
        guard let files = excessFiles(problems) else { return nil }
        let held = sums
        let different = StoreDifference.spans(from: held.shown, to: source).filter {
            $0.element != "ExportDate" && source[$0] != nil
        }
        for key in different {
            guard Manifest.isSample(key.element), source[key]?.count ?? 0 <= held.counts[key] ?? 0 else {
                return nil
            }
        }
        var rest = different[...]
        while !rest.isEmpty {
            var (wanted, count): (Set<SampleBatch.Key>, Int) = ([], 0)
            repeat {
                let key = rest.removeFirst()
                wanted.insert(key)
                count += held.counts[key] ?? 0
            } while rest.first.map { count + (held.counts[$0] ?? 0) <= Self.samplesAtOnce } ?? false
            guard try contains(wanted, read) else { return nil }
        }
        let samples = held.counts.filter { Manifest.isSample($0.key.element) }.total(\.value)
        let theirs = source.filter { Manifest.isSample($0.key.element) }.total(\.value.count)
        return VerificationReport.Excess(
            samples: samples - theirs, files: files.more, newerFiles: files.newer)
    }

    /// The sums that the archive shows, and the counts including samples of earlier exports.
    private var sums: (shown: [SampleBatch.Key: IdentitySum], counts: [SampleBatch.Key: Int]) {
        var shown: [SampleBatch.Key: IdentitySum] = [:]
        var counts: [SampleBatch.Key: Int] = [:]
        for (span, sum) in archive.manifest.sums {
            shown[key(of: span), default: IdentitySum()].add(sum)
            counts[key(of: span), default: 0] += sum.count
        }
        for (span, sum) in gone?.manifest.sums ?? [:] { counts[key(of: span), default: 0] += sum.count }
        return (shown, counts)
    }

    /// Returns the key under which the rows of a batch are compared.
    func key(of batch: SampleBatch.Key) -> SampleBatch.Key { isByType ? batch.ofType : batch.ofSpan }

    /// Returns whether the archive has all samples of the source with these keys.
    private func contains(_ wanted: Set<SampleBatch.Key>, _ read: Pass) throws -> Bool {
        var samples: [SampleBatch.Key: IdentityCounts] = [:]
        for export in [archive, gone].compactMap(\.self) {
            try export.forEach(of: export.batches.filter { wanted.contains(key(of: $0.key)) }) { batch in
                samples[key(of: batch.key), default: IdentityCounts()].add(batch)
            }
        }
        var isContained = true
        try read(wanted) { key, batch in
            samples[key, default: IdentityCounts()].remove(batch) { _, fate in
                if fate == .gone { isContained = false }
            }
        }
        return isContained
    }

    /// Returns the number of files that the source does not have, and those of which the archive has a later version;
    /// nil if the archive lacks one.
    private func excessFiles(_ problems: [VerificationReport.Problem]) -> (more: Int, newer: [BytePath])? {
        let goneFiles = Set(archive.manifest.gone.files.map(\.name))
        var (more, newer): (Int, [BytePath]) = (0, [])
        for case .sourceFile(let name) in problems {
            if !sourceFiles.contains(name) {
                more += 1
            } else if name == Self.clinicalDocument, isLater {
                newer.append(name)
            } else if !goneFiles.contains(name) {
                return nil
            }
        }
        return (more, newer)
    }

    /// The file in which Apple repeats samples of the document; each export writes it anew, with those added since.
    private static let clinicalDocument: BytePath = "export_cda.xml"

    /// Whether the archive's export is later than the source.
    private var isLater: Bool {
        guard let mine = archive.manifest.exported, let sourceDate else { return false }
        return mine.seconds > sourceDate.seconds
    }
}

extension SampleBatch.Key {
    /// The key of all spans of the type.
    var ofType: SampleBatch.Key {
        var key = ofSpan
        key.span = "all"
        return key
    }
}
