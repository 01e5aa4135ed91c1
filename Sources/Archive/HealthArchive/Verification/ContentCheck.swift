import AppleHealthExport
import ByteText
import SampleBatches
import SystemIO

/// A comparison of decoded contents with the manifest.
struct ContentCheck {
    private let expected: Manifest
    private var found: [SampleBatch.Key: IdentitySum] = [:]
    /// The identities found for samples that only earlier exports had.
    private var foundGone: [SampleBatch.Key: IdentitySum] = [:]
    private var files: [BytePath: Manifest.File] = [:]

    /// The spans by the paths of their first parts, without the suffix.
    private let spansByPath: [BytePath: Manifest.Span]
    private let failed: Set<SampleBatch.Key>

    /// Makes a check against a manifest.
    init(_ expected: Manifest) {
        self.expected = expected
        failed = Set(expected.failedBatches.map(\.key))
        let spans = expected.spans.map { span in
            var first = span.key
            first.part = 1
            return (EntryPath.batch(first), span)
        }
        spansByPath = Dictionary(spans) { _, last in last }
    }

    /// Returns the key of the batch in a file of a plain folder; nil if the manifest does not list it.
    func key(ofFile path: BytePath) -> SampleBatch.Key? {
        guard let stem = path.dropping(suffix: EntryPath.linesSuffix) else { return nil }
        let (first, part) = spansByPath[stem] == nil ? EntryPath.firstPart(of: stem) ?? (stem, 1) : (stem, 1)
        guard let span = spansByPath[first], span.partNumbers?.contains(part) ?? (part <= span.parts) else {
            return nil
        }
        var key = span.key
        key.part = part
        return failed.contains(key) ? nil : key
    }

    mutating func record(_ key: SampleBatch.Key, isGone: Bool = false, _ sum: IdentitySum) {
        var span = key
        span.part = 0
        if isGone {
            foundGone[span, default: IdentitySum()].add(sum)
        } else {
            found[span, default: IdentitySum()].add(sum)
        }
    }

    mutating func record(file path: BytePath, length: Int, crc32: UInt32) {
        files[path] = Manifest.File(name: "", path: path, length: length, crc32: crc32)
    }

    /// Returns the differences, in the order of the manifest.
    ///
    /// - Parameter holdsGone: Whether data that only earlier exports had must be present; plain folders lack it.
    func problems(holdsGone: Bool) -> [VerificationReport.Problem] {
        var problems: [VerificationReport.Problem] = []
        if expected.hasLines { problems += Self.problems(expected.spans, found) }
        if holdsGone { problems += Self.problems(expected.gone.spans, foundGone) }
        for file in (expected.hasFiles ? expected.files : []) + (holdsGone ? expected.gone.files : []) {
            guard let mine = files[file.path], mine.length == file.length, mine.crc32 == file.crc32 else {
                problems.append(.sideFile(name: file.name))
                continue
            }
        }
        let listed = Set((expected.files + expected.gone.files).map(\.path))
        for path in files.keys.filter({ !listed.contains($0) }).sorted() {
            problems.append(.unlistedFile(path: path))
        }
        let missing = MissingRows(expected.failedBatches)
        for (counts, isElement) in [(expected.elements, true), (expected.types, false)] {
            for (path, count) in counts.sorted(by: { $0.key < $1.key })
            where !missing.explains(path, count, isElement: isElement) {
                problems.append(.lostElements(path: path.text, read: count.read, written: count.written))
            }
        }
        return problems
    }

    private static func problems(
        _ spans: [Manifest.Span], _ found: [SampleBatch.Key: IdentitySum]
    ) -> [VerificationReport.Problem] {
        var found = found
        var problems: [VerificationReport.Problem] = []
        for span in spans {
            let sum = found.removeValue(forKey: span.key) ?? IdentitySum()
            guard sum != span.identity else { continue }
            problems.append(
                .samples(
                    type: span.key.displayType, span: span.key.span, expected: span.identity.count,
                    found: sum.count))
        }
        for (key, sum) in found.sorted(by: { $0.key < $1.key }) {
            problems.append(
                .samples(type: key.displayType, span: key.span, expected: 0, found: sum.count))
        }
        return problems
    }
}

/// The rows that are missing because their batches could not be written, by the names under which they are counted.
private struct MissingRows {
    private var elements: Set<ExactName> = []
    private var counts: [ExactName: LengthSum] = [:]

    init(_ failed: [Manifest.FailedBatch]) {
        for batch in failed {
            let element = ExactName(batch.key.element)
            elements.insert(element)
            // Elements without a type are counted under one name only.
            for name in Set([element, Census.typeName(of: batch.key.element, batch.key.type)]) {
                counts[name, default: LengthSum()].add(batch.count)
            }
        }
    }

    /// Returns whether everything that was read was written, except what is listed as failed.
    ///
    /// - Parameter isElement: Whether the path is that of an element and not of a type.
    func explains(_ path: ExactName, _ count: Manifest.Count, isElement: Bool) -> Bool {
        if count.read == count.written { return true }
        guard !elements.isEmpty else { return false }
        // Elements nested in missing rows are counted with them.
        let parts = path.text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        if parts.count > 1, isElement {
            let element = ExactName(String(Substring(parts[0])))
            return count.written <= count.read && elements.contains(element)
        }
        return count.read == LengthSum.of(count.written, counts[path]?.value ?? 0)
    }
}

extension SampleBatch.Key {
    /// The sample type, or the element if there is none.
    var displayType: String { type.isEmpty ? element : type }
}
