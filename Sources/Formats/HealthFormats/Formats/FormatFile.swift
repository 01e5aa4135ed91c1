import HealthModel
package import SystemIO

/// A side file of an export.
package struct FormatFile: Sendable {
    /// Its name in the source.
    package let name: BytePath
    /// Its path in the export.
    package let path: BytePath
    /// Its length in bytes.
    package let length: Int

    package init(name: BytePath, path: BytePath, length: Int) {
        self.name = name
        self.path = path
        self.length = length
    }
}

/// Reads a file and passes its bytes to `body` piece by piece.
package typealias FileReading = (_ body: ([UInt8]) throws -> Void) throws -> Void

extension FormatFile {
    /// Returns the bytes of the file; nil if it is larger than files that are read as a whole.
    ///
    /// - Throws: `FormatError` if it is longer than was declared, before more is read; what `read` throws.
    package func bytes(_ read: FileReading) throws -> [UInt8]? {
        guard length <= StoreFile.largest else { return nil }
        var bytes: [UInt8] = []
        try read { piece in
            guard piece.count <= length - bytes.count else { throw FormatError(.inconsistent) }
            bytes += piece
        }
        return bytes
    }
}

/// The files that a format writes.
package protocol FormatFiles: AnyObject {
    /// Appends bytes to a file, creating it on the first call.
    func append(_ bytes: Span<UInt8>, to path: BytePath) throws
    /// Completes a file.
    func end(_ path: BytePath) throws
}

/// The kinds of side files that formats read.
package enum SideFileKind: Sendable {
    case electrocardiogram, route, clinicalResource, other

    /// Determines the kind of a file from its name in the source.
    package init(_ name: BytePath) {
        switch (name.parent.name, name.bytes.suffix(4)) {
        case ("electrocardiograms", ArraySlice(Array(".csv".utf8))): self = .electrocardiogram
        case ("workout-routes", ArraySlice(Array(".gpx".utf8))): self = .route
        case ("clinical-records", ArraySlice(Array("json".utf8))): self = .clinicalResource
        default: self = .other
        }
    }
}
