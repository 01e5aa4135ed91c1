import ByteText
public import HealthModel

/// The electrocardiograms of a store.
public struct ElectrocardiogramList: Sendable, Equatable {
    /// The readable electrocardiograms, sorted by date.
    public let recordings: [Electrocardiogram]
    /// The files that cannot be read, with the reasons.
    public let unreadable: [Unreadable]

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

    /// Returns the files of electrocardiograms.
    @concurrent package func electrocardiogramFiles() async throws -> [StoreFile] {
        try await files(in: Self.electrocardiogramFolder).filter { $0.path.hasSuffix(".csv") }
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

    /// Returns the electrocardiograms, each read from its file.
    ///
    /// - Throws: An error if the store cannot be read; a file that is not an electrocardiogram is listed in the result
    ///   instead.
    @concurrent public func electrocardiograms() async throws -> ElectrocardiogramList {
        var recordings: [Electrocardiogram] = []
        var unreadable: [ElectrocardiogramList.Unreadable] = []
        for file in try await electrocardiogramFiles() {
            try Task.checkCancellation()
            switch try await electrocardiogram(in: file) {
            case .success(let recording): recordings.append(recording)
            case .failure(let error):
                unreadable.append(ElectrocardiogramList.Unreadable(path: file.path, error: error))
            }
        }
        recordings.sort { left, right in
            let (mine, theirs) = (left.recordedDate?.seconds ?? .max, right.recordedDate?.seconds ?? .max)
            return mine != theirs
                ? mine < theirs : left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
        }
        return ElectrocardiogramList(recordings: recordings, unreadable: unreadable)
    }
}
