import ByteText
import SystemIO
import VaultCrypto

@testable import VaultContainer

/// What comes of opening a container and reading all of it, and then of verifying it.
struct Reading: Sendable, Equatable {
    /// Why it could not be opened, or not be read to the end.
    var failure: ContainerError.Code?
    /// The payload, as far as its segments gave it out before the failure.
    var payload: [UInt8] = []
    /// The members of the tar stream, as far as they were given out.
    var stream: [UInt8] = []
    /// Why that was no further.
    var streamFailure: ContainerError.Code?
    var members: [BytePath: [UInt8]] = [:]
    var warnings: Set<ContainerWarning> = []
    /// What the verification says; nothing for a container that cannot be opened.
    var problems: [ContainerError.Code] = []
    var affected: [BytePath] = []
    /// Where footer and all before it would end without padding.
    var unpaddedEnd = 0

    init(
        _ bytes: [UInt8], passphrase: String = Blueprint.passphrase, derivations: KeyDerivations? = nil
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder("container")
        let file = try FileDescriptor(opening: path, .create)
        try file.write(bytes.span)
        try self.init(path: path, passphrase: passphrase, derivations: derivations)
    }

    init(
        path: BytePath, passphrase: String = Blueprint.passphrase, derivations: KeyDerivations? = nil
    ) throws {
        let text = Array(passphrase.utf8)
        let secret = try Passphrase(preparing: text.span)
        let known = derivations ?? (passphrase == Blueprint.passphrase ? Self.derivations : KeyDerivations())
        do throws(ContainerError) {
            let reader = try ContainerReader(opening: path, passphrase: secret, derivations: known)
            warnings = reader.warnings
            unpaddedEnd = reader.footer.payloadLength + reader.footer.indexLength + 64
            do {
                var released: [UInt8] = []
                defer { payload = released }
                try reader.appendPayload(to: &released)
                for entry in reader.entries { members[entry.name] = try reader.data(of: entry) }
            } catch {
                failure = error.code
            }
            do {
                var released: [UInt8] = []
                defer { stream = released }
                try reader.forEachMemberPiece(where: { _ in true }) { piece in
                    released += piece.array
                }
            } catch {
                streamFailure = (error as? ContainerError)?.code
            }
            let verification = try reader.verify()
            problems = verification.problems.map(\.code)
            affected = verification.affectedEntries
        } catch {
            failure = failure ?? error.code
        }
    }

    /// The container gives all it holds, and nothing is wrong with it but that tests derive keys cheaply.
    func isFlawless(payload expected: [UInt8]) -> Bool {
        gives(expected) && warnings == [.weakKdf] && problems.isEmpty
            && streamFailure == nil && (stream + ContainerReader.endOfPayload).equals(expected)
    }

    /// The payload could be read to the end and is the expected one, whatever else is wrong.
    func gives(_ expected: [UInt8]) -> Bool { failure == nil && payload.equals(expected) }

    /// Keys out of the passphrase that nearly all containers here have.
    private static let derivations = KeyDerivations()
}

extension ContainerReader {
    /// Reads the payload segment by segment, whatever the index says of it.
    fileprivate func appendPayload(to released: inout [UInt8]) throws(ContainerError) {
        while released.count < footer.payloadLength {
            let end = min(released.count + segments.key.geometry.plaintext, footer.payloadLength)
            var piece: [UInt8] = []
            try segments.read(released.count..<end, file, into: &piece)
            released += piece
        }
    }
}

// The standard library's go from byte to byte through calls where tests are not optimised.
extension [UInt8] {
    /// Whether the first bytes are those of another array.
    func starts(with other: [UInt8]) -> Bool { span.matches(at: 0, other) }

    /// Whether both have the same bytes.
    func equals(_ other: [UInt8]) -> Bool { count == other.count && starts(with: other) }
}

/// A folder of a test's own, removed with all that is in it when the test ends.
struct TemporaryFolder: ~Copyable {
    let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"

    init() throws { try Folder.make(path) }

    deinit { try? Folder.removeAll(path) }

    /// The path of something in the folder.
    func callAsFunction(_ name: BytePath) -> BytePath { path / name }

    /// Writes a file.
    func write(_ name: BytePath, _ bytes: [UInt8]) throws {
        let file = try FileDescriptor(opening: self(name), .create)
        try file.write(bytes.span)
    }
}

/// The whole content of a file.
func fileBytes(_ path: BytePath) throws -> [UInt8] {
    let file = try FileDescriptor(opening: path, .read)
    return try file.bytes(at: 0, count: try file.status().size)
}

/// Removes a file.
func removeFile(_ path: BytePath) throws { try OpenFolder(holding: path).removeFile(path.name) }

/// Something lies at `path`.
func exists(_ path: BytePath) -> Bool { (try? FileStatus(at: path, followingLinks: false)) != nil }

/// Bytes without a pattern, the same in every run.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return [UInt8](capacity: count) { output in
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            output.append(UInt8(truncatingIfNeeded: state >> 56))
        }
    }
}
