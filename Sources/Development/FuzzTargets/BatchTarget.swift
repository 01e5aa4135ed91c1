import HealthArchive
import HealthFormats
import SampleBatches

/// The fuzz targets for batches in both forms, and for the manifest.
enum BatchTarget: Sendable {
    /// Checks that an accepted stored batch has the same lines after it is written and read again, and with white space in its
    /// columns.
    ///
    /// It must also have the same identities without being assembled, and the same columns without its rows.
    @Sendable static func stored(_ input: [UInt8]) {
        var reader = StoredBatchReader()
        let read = try? reader.read(input)
        guard (try? reader.identity(of: input))?.sum == read?.identitySum() else {
            violated("identities are the same whether or not a batch is assembled")
        }
        guard let batch = read else { return }
        let respaced = respaced(input)
        guard let same = try? reader.read(respaced), text(same) == text(batch) else {
            violated("white space changes nothing")
        }
        checkColumns(input, respaced, batch)
        var writer = StoredBatchWriter()
        guard let again = try? reader.read(writer.write(batch)), text(again) == text(batch) else {
            violated("a batch that was read can be written and read again")
        }
        _ = try? batch.census()
    }

    /// Checks that the columns of a batch are the same with white space between their values, and have the positions of its rows.
    private static func checkColumns(_ input: [UInt8], _ respaced: [UInt8], _ batch: SampleBatch) {
        let (found, same) = (columns(of: input), columns(of: respaced))
        guard (found == nil) == (same == nil) else { violated("white space changes no columns") }
        guard let found, let same else { return }
        var positions: [Int] = []
        batch.forEachRow(
            startRow: { positions.append($0.position) }, value: { _, _, _, _ in }, endRow: { _ in })
        guard found.positions == positions, found.isLike(same) else {
            violated("columns are those of the rows, whatever is between their values")
        }
    }

    /// Returns the columns of a batch; nil if they cannot be read without its rows, which have wider bounds for times.
    private static func columns(of text: [UInt8]) -> StoredColumns? {
        let wanted = StoredColumns.Wanted(
            times: timeNames, values: true, positions: true, contexts: true, shared: [])
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        return (try? reader.read(wanted, of: text, into: &columns)) == true ? columns : nil
    }

    fileprivate static let timeNames = ["startDate", "endDate"]

    /// Returns the text of a batch with a space before each value in its columns, so that none is read at a glance.
    private static func respaced(_ input: [UInt8]) -> [UInt8] {
        var (output, name): ([UInt8], [UInt8]) = ([], [])
        var (depth, isInString, isEscaped) = (0, false, false)
        let columns = ["position", "context", "content", "columns"].map { Array($0.utf8) }
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
            default: break
            }
            let isBeforeValue = byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[")
            if isBeforeValue, depth > 1, columns.contains(name) { output.append(UInt8(ascii: " ")) }
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

extension StoredColumns {
    /// Whether both have the same columns, numbers to the last bit.
    fileprivate func isLike(_ other: StoredColumns) -> Bool {
        count == other.count && positions == other.positions && contextNumbers == other.contextNumbers
            && BatchTarget.timeNames.allSatisfy { instants(of: $0) == other.instants(of: $0) }
            && values?.numbers.map(\.bitPattern) == other.values?.numbers.map(\.bitPattern)
            && values?.texts == other.values?.texts && values?.textNumbers == other.values?.textNumbers
    }
}
