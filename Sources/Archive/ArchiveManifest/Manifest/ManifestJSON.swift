import ByteSpans
import CivilTime
package import JSONText
import SampleBatches
import SystemIO

extension Manifest {
    /// The usual length of a line about a batch or a file, in bytes.
    private static let usualLine = 224

    /// The manifest as JSON text.
    public var json: [UInt8] {
        let lines = spans.count + files.count + elements.count + types.count
        var writer = JSONWriter(pretty: true, capacity: lines * Self.usualLine)
        writer.object { writer in
            writer.member("manifest", Self.version)
            writer.key("source")
            writeSource(&writer)
            if let selection {
                writer.key("selection")
                selection.write(&writer)
            }
            writer.member("batching", batching)
            if exports > 1 { writer.member("exports", exports) }
            writer.member("samples", sampleCount)
            writeRange("first", first, "last", last, &writer)
            for (name, counts) in [("elements", elements), ("types", types)] {
                writer.key(name)
                writer.object { writer in
                    for (path, count) in counts.sorted(by: { $0.key < $1.key }) {
                        writer.key(path.text)
                        writer.object { writer in
                            writer.member("read", count.read)
                            writer.member("written", count.written)
                        }
                    }
                }
            }
            writer.member("sources", sources)
            writer.key("warnings")
            writer.object { writer in
                for (name, count) in warnings.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
            }
            for (name, counts) in [
                ("unknownElements", unknownElements), ("unknownAttributes", unknownAttributes),
            ] where !counts.isEmpty {
                writer.key(name)
                writer.object { writer in
                    for (path, count) in counts.sorted(by: { $0.key < $1.key }) {
                        writer.member(path.text, count)
                    }
                }
            }
            writer.key("batches")
            writer.array { writer in
                for span in spans { write(span, &writer) }
            }
            if !failedBatches.isEmpty {
                writer.key("failedBatches")
                writer.array { writer in
                    for batch in failedBatches { write(batch, &writer) }
                }
            }
            writer.key("files")
            writer.array { writer in
                for file in files { write(file, &writer) }
            }
            writer.member("ignoredFiles", ignoredFiles)
            guard !gone.isEmpty else { return }
            writer.key("gone")
            writer.object { writer in
                writer.member("samples", gone.sampleCount)
                writer.key("batches")
                writer.array { writer in
                    for span in gone.spans { write(span, &writer) }
                }
                writer.key("files")
                writer.array { writer in
                    for file in gone.files { write(file, &writer) }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func writeSource(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("fingerprint")
            fingerprint.write(&writer)
            writer.member("exportDate", exportDate)
            writer.member("locale", locale)
            writer.member("zone", zone)
            writer.key("documentType")
            if let documentType { writer.integer(documentType) } else { writer.null() }
            writer.member("truncated", isTruncated)
            guard !skipped.isEmpty else { return }
            writer.key("skipped")
            writer.array { writer in
                for range in skipped {
                    writer.object { writer in
                        writer.member("offset", range.offset)
                        writer.member("length", range.length)
                    }
                }
            }
        }
    }

    private func write(_ span: Span, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("element", span.key.element)
            writer.member("type", span.key.type)
            writer.member("span", span.key.span)
            writer.member("parts", span.parts)
            if let numbers = span.partNumbers {
                writer.key("partNumbers")
                writer.array { writer in
                    for number in numbers { writer.integer(number) }
                }
            }
            writer.member("count", span.identity.count)
            writer.member("identity", span.identity.hexadecimal)
            writeRange("first", span.first, "last", span.last, &writer)
        }
    }

    private func write(_ batch: FailedBatch, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("element", batch.key.element)
            writer.member("type", batch.key.type)
            writer.member("span", batch.key.span)
            writer.member("part", batch.key.part)
            writer.member("count", batch.count)
        }
    }

    private func write(_ file: File, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", file.name)
            writer.member("path", file.path)
            writer.member("length", file.length)
            writer.member("crc32", Hexadecimal.text(file.crc32))
            if file.isDamaged { writer.member("damaged", true) }
        }
    }

    private func writeRange(
        _ firstName: String, _ first: Timestamp?, _ lastName: String, _ last: Timestamp?,
        _ writer: inout JSONWriter
    ) {
        guard let first, let last else { return }
        writer.member(firstName, first.iso)
        writer.member(lastName, last.iso)
    }
}

extension Manifest.Selection {
    /// Writes the selection as a JSON object.
    package func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            for (name, types) in [("types", types), ("excluded", excludedTypes)] {
                guard let types, !types.isEmpty || name == "types" else { continue }
                writer.key(name)
                writer.array { writer in
                    for type in types { writer.string(type) }
                }
            }
            for (name, limit) in [("since", since), ("until", until)] {
                if let limit { writer.member(name, limit.iso) }
            }
        }
    }
}
