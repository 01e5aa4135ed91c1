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
        var keys: [String: SampleBatch.Key] = [:]
        for span in expected.manifest.spans where span.parts > 0 {
            for part in 1..<(min(span.parts, fileCount) + 1) {
                var key = span.key
                key.part = part
                keys[EntryPath.batch(key) + EntryPath.linesSuffix] = key
            }
        }
        keysByPath = keys
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
            for (path, count) in counts.sorted(by: { $0.key < $1.key }) where count.read != count.written {
                problems.append(.lostElements(path: path.text, read: count.read, written: count.written))
            }
        }
        return problems
    }
}

extension SampleBatch.Key {
    /// The sample type, or the element where there is none.
    var displayType: String { type.isEmpty ? element : type }
}
