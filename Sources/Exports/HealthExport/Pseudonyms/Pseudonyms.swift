import ArchiveWriting
public import HealthArchive
public import SystemIO
import VaultContainer

/// The secret behind the numbers and the shift of dates in copies that do not name their person.
///
/// With the same secret, all copies of one person have the same numbers and the same shift; those of two people have
/// nothing in common. Without the secret nobody can undo them.
public struct Pseudonyms: Sendable {
    private let secret: RingKey
    /// A name that tells the person from others with the same secret; nil for the day of birth and the sex.
    public let person: String?
    /// Whether the secret is in a file, so that a later copy can have the same numbers.
    let isKept: Bool

    /// Makes a random secret, which is in no file: no other copy will have the same numbers.
    ///
    /// - Throws: `VaultError`, `internalFailure` if there are no random numbers.
    public init() throws(VaultError) {
        do { secret = try RingKey.random() } catch { throw VaultError(.internalFailure) }
        person = nil
        isKept = false
    }

    /// Reads the secret in a file of 32 random bytes, or makes the file.
    ///
    /// - Throws: `VaultError` if the file has another length, if others than its owner may read it, or if it cannot be read
    ///   or written.
    public init(secretAt path: BytePath, person: String? = nil) throws(VaultError) {
        self.person = person
        isKept = true
        do {
            if try Target.exists(path) {
                secret = try RingKey(reading: path)
            } else {
                secret = try RingKey.random()
                try secret.save(to: path)
            }
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Returns a number that only the secret tells from a random one, the same for the same texts.
    ///
    /// - Parameter texts: What it stands for; the first one says of what kind that is.
    func number(below bound: UInt64, for texts: [String]) throws(ContainerError) -> Int {
        // The lengths keep two lists apart whose texts are the same one after the other.
        let message = Array(texts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
        let code = try secret.code(of: message, for: "pseudonyms")
        var value: UInt64 = 0
        for byte in code.prefix(MemoryLayout<UInt64>.size) { value = value << 8 | UInt64(byte) }
        return Int(value % bound)
    }
}
