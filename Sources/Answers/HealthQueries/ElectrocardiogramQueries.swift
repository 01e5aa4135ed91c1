import ByteText
public import HealthModel
import VaultCrypto

/// The electrocardiograms of a store.
public struct ElectrocardiogramList: Sendable, Equatable {
    /// The readable electrocardiograms, sorted by date.
    public let recordings: [Electrocardiogram]
    /// The files that cannot be read, with the reasons.
    public let unreadable: [Unreadable]
    /// The number of files that have the content of another one, and are not listed.
    public let copies: Int

    /// A file that cannot be read.
    public struct Unreadable: Sendable, Equatable {
        /// Its path in the source.
        public let path: String
        /// The reason.
        public let error: ElectrocardiogramError
    }
}

extension HealthStore {
    /// The folder of electrocardiograms, which has the same name in all languages.
    private static var electrocardiogramFolder: String { "electrocardiograms" }

    /// Returns the files of electrocardiograms, of those with the same content the first, and how many others there are.
    @concurrent package func electrocardiogramFiles() async throws -> (files: [StoreFile], copies: Int) {
        let files = try await files(in: Self.electrocardiogramFolder).filter { $0.path.hasSuffix(".csv") }
        let lengths = Dictionary(files.map { ($0.length, 1) }, uniquingKeysWith: +)
        var (kept, seen): ([StoreFile], Set<[UInt8]>) = ([], [])
        for file in files {
            try Task.checkCancellation()
            // A copy is as long as another one.
            if lengths[file.length] != 1, file.length <= StoreFile.largest {
                let bytes = try await bytes(of: file)
                guard seen.insert(try SHA256.digest(of: bytes.span)).inserted else { continue }
            }
            kept.append(file)
        }
        return (kept, files.count - kept.count)
    }

    /// Returns the electrocardiogram in a file, or why that is none.
    ///
    /// - Throws: An error if the store cannot be read.
    @concurrent package func electrocardiogram(
        in file: StoreFile
    ) async throws -> Result<Electrocardiogram, ElectrocardiogramError> {
        guard file.length <= StoreFile.largest else {
            return .failure(ElectrocardiogramError(.largeFile, line: 1))
        }
        let bytes = try await bytes(of: file)
        return Result { () throws(ElectrocardiogramError) in
            try Electrocardiogram(csv: bytes, path: file.path)
        }
    }

    /// Returns the electrocardiograms, each read from its file; of files with the same content the first.
    ///
    /// - Throws: An error if the store cannot be read; a file that is not an electrocardiogram is listed in the result
    ///   instead.
    @concurrent public func electrocardiograms() async throws -> ElectrocardiogramList {
        var recordings: [Electrocardiogram] = []
        var unreadable: [ElectrocardiogramList.Unreadable] = []
        let copies = try await readElectrocardiograms { path, result in
            switch result {
            case .success(let recording): recordings.append(recording)
            case .failure(let error):
                unreadable.append(ElectrocardiogramList.Unreadable(path: path, error: error))
            }
        }
        recordings.sort { left, right in
            let (mine, theirs) = (left.recordedDate?.seconds ?? .max, right.recordedDate?.seconds ?? .max)
            return mine != theirs
                ? mine < theirs : left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
        }
        return ElectrocardiogramList(recordings: recordings, unreadable: unreadable, copies: copies)
    }

    /// Calls `body` with each electrocardiogram or the reason why its file cannot be read; of files with the same content with
    /// the first.
    ///
    /// - Returns: The number of files that have the content of an earlier one.
    package func readElectrocardiograms(
        _ body: (_ path: String, Result<Electrocardiogram, ElectrocardiogramError>) -> Void
    ) async throws -> Int {
        let (files, copies) = try await electrocardiogramFiles()
        for file in files {
            try Task.checkCancellation()
            body(file.path, try await electrocardiogram(in: file))
        }
        return copies
    }
}
