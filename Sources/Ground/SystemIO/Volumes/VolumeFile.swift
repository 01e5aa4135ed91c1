import ByteText
import Glibc
import Synchronization

/// A file that is read and written as one, even if it was split into volumes.
///
/// The bytes of its volumes, in order, make up the file. A writer makes all of them but the last of one size; a file that
/// is read may have volumes of any sizes.
public final class VolumeFile: Sendable {
    /// A volume after the first.
    private final class Volume: Sendable {
        let file: FileDescriptor
        let folder: OpenFolder
        let name: BytePath
        let status: FileStatus

        init(_ file: consuming FileDescriptor, _ folder: OpenFolder, _ name: BytePath) throws(SystemError) {
            status = try file.status()
            self.file = file
            self.folder = folder
            self.name = name
        }
    }

    /// Where volumes begin.
    private enum Division {
        /// Each volume but the last has so many bytes.
        case every(Int)
        /// The volumes begin at these bytes, in order.
        case at([Int])
    }

    private let first: FileDescriptor
    /// Where the file is divided; nil if there can be only one volume.
    private let division: Division?
    /// The folder and the path of the unfinished file whose volumes are created when they are needed; nil if the file
    /// does not grow.
    private let growing: (folder: OpenFolder, name: BytePath)?
    private let rest: Mutex<[Volume]>
    /// The paths of the volumes that are missing, and read as zeros.
    public let missing: [BytePath]

    /// Creates a value for a file in one piece.
    public init(_ file: consuming FileDescriptor) {
        first = file
        division = nil
        growing = nil
        missing = []
        rest = Mutex([])
    }

    /// Opens a file at its path or, if there is none, its volumes.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or of its first volume.
    ///   - fillsGaps: Whether volumes that are missing between others are read as zeros, for a file that is only read.
    /// - Throws: `SystemError`, with `isMissing` for a volume missing between two others.
    public init(
        opening path: BytePath, _ mode: FileDescriptor.Mode, fillsGaps: Bool = false
    ) throws(SystemError) {
        let start = try VolumeName.start(of: path)
        let file = try FileDescriptor(opening: start, mode)
        let size = try file.status().size
        first = file
        growing = nil
        guard let whole = VolumeName.whole(ofFirst: start) else {
            division = nil
            rest = Mutex([])
            missing = []
            return
        }
        let folder = try OpenFolder(holding: start)
        var volumes: [Volume] = []
        var missing: [BytePath] = []
        for number in 2...VolumeName.most {
            let name = VolumeName.volume(number, of: whole.name)
            guard try folder.statusIfThere(of: name) == nil else {
                volumes.append(try Volume(try folder.open(name, mode), folder, name))
                continue
            }
            // A gap is an error here, unless it is to be filled; a missing end is noticed when the file is read.
            guard try Self.isThere(after: number, of: whole.name, in: folder) else { break }
            let place = folder.place(name)
            guard fillsGaps else { throw SystemError(call: .open, path: place, number: ENOENT) }
            volumes.append(try Volume(try FileDescriptor(zeros: size, insteadOf: place), folder, name))
            missing.append(place)
        }
        var starts = [0, size]
        for volume in volumes.dropLast() {
            starts.append(LengthSum.of(starts[starts.count - 1], volume.status.size))
        }
        division = volumes.isEmpty ? nil : .at(starts)
        rest = Mutex(volumes)
        self.missing = missing
    }

    /// Returns whether there is a volume with a higher number.
    private static func isThere(
        after number: Int, of name: BytePath, in folder: OpenFolder
    ) throws(SystemError) -> Bool {
        for number in stride(from: number + 1, through: VolumeName.most, by: 1)
        where try folder.statusIfThere(of: VolumeName.volume(number, of: name)) != nil {
            return true
        }
        return false
    }

    /// Creates a value for an unfinished file in a folder, which is split into volumes as it grows.
    fileprivate init(
        _ file: consuming FileDescriptor, _ name: BytePath, in folder: OpenFolder,
        becoming finished: FinishedName, limit: Int?
    ) throws(SystemError) {
        let size = try file.status().size
        var volumes: [Volume] = []
        var named: [Volume] = []
        // Volumes beside an empty file are not its own.
        if size > 0 {
            volumes = try Self.volumes(of: name, from: 2, in: folder)
            // If there is a finished first volume, finished volumes belong to another file.
            if try folder.statusIfThere(of: VolumeName.volume(1, of: finished.name)) == nil {
                named = try Self.volumes(of: finished.name, from: volumes.count + 2, in: folder)
            }
        }
        if !named.isEmpty, try Self.isEnd(of: file, size, volumes + named, sameBytes: finished.sameBytes) {
            volumes += named
        }
        if limit != nil || size > 0 {
            try Self.removeVolumes(of: name, from: volumes.count + 2, in: folder)
        }
        first = file
        growing = (folder, name)
        missing = []
        division = (volumes.isEmpty ? limit : size).map { .every($0) }
        rest = Mutex(volumes)
    }

    /// Removes what an interrupted run left of an unfinished file behind a gap: after a power failure, single names of
    /// volumes may be missing.
    private static func removeVolumes(
        of name: BytePath, from first: Int, in folder: OpenFolder
    ) throws(SystemError) {
        for entry in try folder.entries() where entry.status.kind == .file {
            guard let digits = entry.name.dropping(prefix: name + ".")?.text, let number = Int(digits),
                number >= first, entry.name == VolumeName.volume(number, of: name)
            else { continue }
            try folder.removeFile(entry.name, being: entry.status)
        }
    }

    /// Opens the volumes of a file from a number on, up to the first gap.
    private static func volumes(
        of name: BytePath, from number: Int, in folder: OpenFolder
    ) throws(SystemError) -> [Volume] {
        var volumes: [Volume] = []
        for number in number...VolumeName.most {
            let name = VolumeName.volume(number, of: name)
            guard try folder.statusIfThere(of: name)?.kind == .file else { break }
            volumes.append(try Volume(try folder.open(name, .update), folder, name))
        }
        return volumes
    }

    /// Returns whether volumes with their final names complete the file: all but the last are as long as the first,
    /// and the file ends with the bytes it begins with.
    private static func isEnd(
        of first: borrowing FileDescriptor, _ size: Int, _ volumes: [Volume], sameBytes count: Int
    ) throws(SystemError) -> Bool {
        var end: [UInt8] = []
        for (index, volume) in volumes.enumerated().reversed() {
            let length = try volume.file.status().size
            guard index == volumes.count - 1 ? (1...size).contains(length) : length == size else {
                return false
            }
            guard end.count < count else { continue }
            let part = min(count - end.count, length)
            end = try volume.file.bytes(at: length - part, count: part) + end
        }
        if end.count < count, case let part = min(count - end.count, size) {
            end = try first.bytes(at: size - part, count: part) + end
        }
        return try end == first.bytes(at: 0, count: count)
    }

    /// Returns the status of the first volume.
    public func status() throws(SystemError) -> FileStatus { try first.status() }

    /// Returns the size of the whole file in bytes.
    public func size() throws(SystemError) -> Int {
        let sizes = try rest.withLock { (volumes) throws(SystemError) -> Int in
            var sum = 0
            for volume in volumes { sum = LengthSum.of(sum, try volume.file.status().size) }
            return sum
        }
        return LengthSum.of(try first.status().size, sizes)
    }

    /// The number of volumes.
    public var volumeCount: Int { rest.withLock { $0.count } + 1 }

    /// Returns the volume that has a byte, the byte's offset in that, and how many bytes from there on it can have.
    private func place(of offset: Int) -> (volume: Int, offset: Int, room: Int) {
        switch division {
        case nil:
            return (0, offset, .max)
        case .every(let size):
            let (volume, place) = offset.quotientAndRemainder(dividingBy: size)
            return (volume, place, size - place)
        case .at(let starts):
            // An empty volume begins where the next one does, and has no byte.
            let volume = starts.lastIndex { $0 <= offset } ?? 0
            let isLast = volume == starts.count - 1
            return (volume, offset - starts[volume], isLast ? .max : starts[volume + 1] - offset)
        }
    }

    /// Reads exactly `count` bytes at `offset`, or fewer at the end of the file.
    public func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let (number, place, room) = place(of: offset + bytes.count)
            let wanted = min(count - bytes.count, room)
            let part = try withVolume(number) { (file: borrowing FileDescriptor) throws(SystemError) in
                try file.bytes(at: place, count: wanted)
            }
            guard let part, !part.isEmpty else { break }
            bytes = bytes.isEmpty ? part : bytes + part
            if part.count < wanted { break }
        }
        return bytes
    }

    /// Writes all bytes at `offset`, creating volumes when the others are full.
    public func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let (number, place, room) = place(of: offset + done)
            let count = min(bytes.count - done, room)
            let part = bytes.extracting(done..<(done + count))
            if number > 0 { try grow(to: number) }
            if number == 0 {
                try first.write(part, at: place)
            } else {
                let file = rest.withLock { $0[number - 1] }
                try file.file.write(part, at: place)
            }
            done += count
        }
    }

    private func grow(to number: Int) throws(SystemError) {
        while case let count = rest.withLock({ $0.count }), count < number {
            guard let growing, count + 2 <= VolumeName.most else {
                throw SystemError(call: .write, path: first.path, number: EFBIG)
            }
            let name = VolumeName.volume(count + 2, of: growing.name)
            let volume = try Volume(try growing.folder.open(name, .create), growing.folder, name)
            rest.withLock { $0.append(volume) }
        }
    }

    private func withVolume<Result>(
        _ number: Int, _ body: (borrowing FileDescriptor) throws(SystemError) -> Result
    ) throws(SystemError) -> Result? {
        if number == 0 { return try body(first) }
        guard let volume = rest.withLock({ number <= $0.count ? $0[number - 1] : nil }) else { return nil }
        return try body(volume.file)
    }

    /// Truncates the file to `size` bytes, removing the volumes beyond.
    public func truncate(to size: Int) throws(SystemError) {
        let last = place(of: max(size - 1, 0))
        let dropped = rest.withLock { volumes in
            let dropped = Array(volumes.dropFirst(last.volume))
            volumes.removeLast(dropped.count)
            return dropped
        }
        for volume in dropped.reversed() { try volume.folder.removeFile(volume.name, being: volume.status) }
        _ = try withVolume(last.volume) { (file: borrowing FileDescriptor) throws(SystemError) in
            try file.truncate(to: min(size, last.offset + 1))
        }
    }

    /// Flushes everything written so far to the device.
    public func sync() throws(SystemError) {
        for volume in rest.withLock({ $0 }) { try volume.file.sync() }
        try first.sync()
    }

    /// Reports errors that a file system reports only when a file is closed.
    public func checkClosing() throws(SystemError) {
        for volume in rest.withLock({ $0 }) { try volume.file.checkClosing() }
        try first.checkClosing()
    }

    /// Drops the cached pages, so that the next reads come from the drive and not from memory.
    public func dropCache() {
        for volume in rest.withLock({ $0 }) { volume.file.dropCache() }
        first.dropCache()
    }

    /// Acquires the advisory lock of the first volume, which locks the whole file.
    ///
    /// - Throws: `SystemError` with `isLocked` if another process has it.
    public func lock(exclusively: Bool) throws(SystemError) { try first.lock(exclusively: exclusively) }

    /// Renames the volumes after the first to their final names.
    ///
    /// - Parameter name: The name that the file would have in one piece.
    /// - Throws: `SystemError`, with `isExisting` if something else has one of the names.
    public func nameVolumes(of name: BytePath) throws(SystemError) {
        for (index, volume) in rest.withLock({ $0 }).enumerated().reversed() {
            let final = VolumeName.volume(index + 2, of: name)
            guard volume.name != final else { continue }
            try volume.folder.rename(volume.name, being: volume.status, to: final)
        }
    }

    /// Removes the volumes after the first.
    ///
    /// - Throws: `SystemError`.
    public func removeVolumes() throws(SystemError) {
        for volume in rest.withLock({ $0 }).reversed() {
            try volume.folder.removeFile(volume.name, being: volume.status)
        }
        rest.withLock { $0 = [] }
    }
}

/// The name that an unfinished file will have.
public struct FinishedName: Sendable {
    let name: BytePath
    let sameBytes: Int

    /// Creates the name of a file that ends with the bytes it begins with.
    ///
    /// - Parameter sameBytes: The number of these bytes; 0 if there are none.
    public init(_ name: BytePath, sameBytes: Int) {
        self.name = name
        self.sameBytes = sameBytes
    }
}

extension OpenFolder {
    /// Opens and locks an unfinished file, which is split into volumes as it grows.
    ///
    /// - Parameters:
    ///   - name: The name of its first volume.
    ///   - mode: How it is opened.
    ///   - finished: The file's final name; volumes that already have final names are found.
    ///   - limit: The bytes in each volume but the last; nil for a file in one piece.
    /// - Throws: `SystemError` with `isLocked` if another process has it, with `isExisting` if another file has the
    ///   name of a volume.
    public func claimVolumes(
        _ name: BytePath, _ mode: FileDescriptor.Mode, becoming finished: FinishedName, limit: Int?
    ) throws(SystemError) -> VolumeFile {
        let second = VolumeName.volume(2, of: finished.name)
        if mode == .create, limit != nil, try statusIfThere(of: second) != nil,
            try statusIfThere(of: VolumeName.volume(1, of: finished.name)) == nil
        {
            throw SystemError(call: .open, path: place(second), number: EEXIST)
        }
        return try VolumeFile(claim(name, mode), name, in: self, becoming: finished, limit: limit)
    }
}
