public import SystemIO
public import VaultContainer

extension KeyRing {
    /// Opens a ring with its key.
    ///
    /// - Throws: `VaultError` with the path of the file that is wrong.
    public static func open(_ ring: BytePath, keyFile: BytePath) throws(VaultError) -> KeyRing {
        let key: RingKey
        do { key = try RingKey(reading: keyFile) } catch { throw VaultError.wrapping(error, path: keyFile) }
        do { return try KeyRing(reading: ring, key: key) } catch {
            throw VaultError.wrapping(error, path: ring)
        }
    }
}
