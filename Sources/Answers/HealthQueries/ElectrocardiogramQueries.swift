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

    /// Returns the electrocardiograms, each read from its file.
    ///
    /// - Throws: An error if the store cannot be read; a file that is not an electrocardiogram is listed in the result
    ///   instead.
    @concurrent public func electrocardiograms() async throws -> ElectrocardiogramList {
        var recordings: [Electrocardiogram] = []
        var unreadable: [ElectrocardiogramList.Unreadable] = []
        for file in try await files(in: Self.electrocardiogramFolder) where file.path.hasSuffix(".csv") {
            try Task.checkCancellation()
            guard file.length <= StoreFile.largest else {
                let error = ElectrocardiogramError(.largeFile, line: 1)
                unreadable.append(ElectrocardiogramList.Unreadable(path: file.path, error: error))
                continue
            }
            let bytes = try await bytes(of: file)
            do throws(ElectrocardiogramError) {
                recordings.append(try Electrocardiogram(csv: bytes, path: file.path))
            } catch {
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
