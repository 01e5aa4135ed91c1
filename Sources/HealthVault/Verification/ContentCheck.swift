import AppleHealthExport
import HealthModel

/// Holds what was decoded against what the manifest says.
struct ContentCheck {
    private let expected: ManifestReader.Result
    private var found: [SampleBatch.Key: IdentitySum] = [:]
    private var files: [String: Manifest.File] = [:]

    /// Which part of which span each file of a plain folder holds.
    let keysByPath: [String: SampleBatch.Key]

    /// - Parameters:
    ///   - expected: What the manifest says.
    ///   - fileCount: No span has more parts than there are files.
    init(_ expected: ManifestReader.Result, fileCount: Int = 0) {
        self.expected = expected
        let keys = expected.manifest.batchKeys(limit: fileCount)
        keysByPath = Dictionary(keys.map { (EntryPath.batch($0) + EntryPath.linesSuffix, $0) }) { _, last in
            last
        }
    }

    mutating func take(_ key: SampleBatch.Key, _ sum: IdentitySum) {
        var span = key
        span.part = 0
        found[span, default: IdentitySum()].add(sum)
    }

    mutating func take(file path: String, length: Int, crc32: UInt32) {
        files[path] = Manifest.File(name: "", path: path, length: length, crc32: crc32)
    }

    /// What differs, in the order of the manifest.
    func problems() -> [VerificationReport.Problem] {
        var problems: [VerificationReport.Problem] = []
        for span in expected.manifest.spans {
            guard let wanted = expected.spans[span.key] else { continue }
            let sum = found[span.key] ?? IdentitySum()
            if sum.count != wanted.count || sum.hexadecimal != wanted.identity {
                problems.append(
                    .samples(
                        type: span.key.displayType, span: span.key.span, expected: wanted.count,
                        found: sum.count))
            }
        }
        let surplus = found.keys.filter { expected.spans[$0] == nil }
        for key in surplus.sorted() {
            problems.append(
                .samples(type: key.displayType, span: key.span, expected: 0, found: found[key]?.count ?? 0))
        }
        for file in expected.manifest.files {
            guard let mine = files[file.path], mine.length == file.length, mine.crc32 == file.crc32 else {
                problems.append(.sideFile(name: file.name))
                continue
            }
        }
        for counts in [expected.manifest.elements, expected.manifest.types] {
            for (path, count) in counts.sorted(by: { $0.key < $1.key }) where !isExplained(path, count) {
                problems.append(.lostElements(path: path.text, read: count.read, written: count.written))
            }
        }
        return problems
    }

    /// What was read was written, but for what is listed as failed.
    private func isExplained(_ path: ExactName, _ count: Manifest.Count) -> Bool {
        let failed = expected.manifest.failedBatches
        if count.read == count.written { return true }
        guard !failed.isEmpty else { return false }
        // What was nested in rows that are missing is counted with them.
        let element = path.text.split(separator: "/").first.map(String.init) ?? ""
        let isNested = path.text != element && expected.manifest.elements[path] != nil
        if isNested { return count.written <= count.read && failed.contains { $0.key.element == element } }
        let missing = failed.reduce(0) { sum, batch in
            let names = [
                ExactName(batch.key.element), Census.typeName(of: batch.key.element, batch.key.type),
            ]
            return sum + (names.contains(path) ? batch.count : 0)
        }
        return count.read == count.written + missing
    }
}

extension SampleBatch.Key {
    /// The sample type, or the element where there is none.
    var displayType: String { type.isEmpty ? element : type }
}
