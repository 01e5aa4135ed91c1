import ArchiveManifest
import HealthFormats
import SampleBatches

/// The fuzz targets for batches in both forms, and for the manifest.
enum BatchTarget: Sendable {
    /// Checks that an accepted stored batch has the same lines after it is written and read again, and with white space in its
    /// columns, the same identities without being assembled, and the same positions without its rows.
    @Sendable static func stored(_ input: [UInt8]) {
        var reader = StoredBatchReader()
        let read = try? reader.read(input)
        guard (try? reader.identity(of: input))?.sum == read?.identitySum() else {
            violated("identities are the same whether or not a batch is assembled")
        }
        guard let batch = read else { return }
        guard let spaced = try? reader.read(spaced(input)), text(spaced) == text(batch) else {
            violated("white space changes nothing")
        }
        checkColumns(input, batch)
        var writer = StoredBatchWriter()
        guard let again = try? reader.read(writer.write(batch)), text(again) == text(batch) else {
            violated("a batch that was read can be written and read again")
        }
        _ = try? batch.census()
    }

    private static func checkColumns(_ input: [UInt8], _ batch: SampleBatch) {
        let wanted = StoredColumns.Wanted(
            times: ["startDate", "endDate"], values: true, positions: true, contexts: true, shared: [])
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        // Columns have narrower bounds for times than rows.
        guard (try? reader.read(wanted, of: input, into: &columns)) == true else { return }
        var positions: [Int] = []
        batch.forEachRow(
            startRow: { positions.append($0.position) }, value: { _, _, _, _ in }, endRow: { _ in })
        guard columns.count == batch.count, columns.positions == positions else {
            violated("columns are those of the rows")
        }
    }

    /// Returns the text of a batch with a space after each comma in its columns, so that no value but the first of a column is
    /// read at a glance.
    private static func spaced(_ input: [UInt8]) -> [UInt8] {
        var (output, name): ([UInt8], [UInt8]) = ([], [])
        var (depth, isInString, isEscaped) = (0, false, false)
        let spaced = ["position", "context", "content", "columns"].map { Array($0.utf8) }
        for byte in input {
            output.append(byte)
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") {
                    isInString = false
                } else if depth == 1 {
                    name.append(byte)
                }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                if depth == 1 { name = [] }
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth > 1 && spaced.contains(name): output.append(UInt8(ascii: " "))
            default: break
            }
        }
        return output
    }

    /// Checks that accepted lines are the same after they are written and read again, and after they are stored.
    @Sendable static func lines(_ input: [UInt8]) {
        let key = SampleBatch.Key(element: "Record", type: "", span: "all", part: 1)
        guard let batch = try? NDJSONReader.read(input, key: key) else { return }
        let lines = text(batch)
        guard let again = try? NDJSONReader.read(lines, key: key), text(again) == lines else {
            violated("lines that were written can be read")
        }
        var writer = StoredBatchWriter()
        var reader = StoredBatchReader()
        guard let stored = try? reader.read(writer.write(batch)), text(stored) == lines else {
            violated("lines are the same after they were stored")
        }
    }

    /// Checks that an accepted manifest can be summed up.
    @Sendable static func manifest(_ input: [UInt8]) {
        guard let manifest = try? ManifestReader.read(input) else { return }
        _ = manifest.sampleCount
        _ = manifest.typeCount
        _ = manifest.files.reduce(0) { $0 + $1.length }
    }

    private static func text(_ batch: SampleBatch) -> [UInt8] {
        var writer = NDJSONWriter()
        var text: [UInt8] = []
        writer.write(batch, to: &text)
        return text
    }
}
