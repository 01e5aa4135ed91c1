import ByteText
package import HealthVault
package import SystemIO
import Wording

/// Reports about key rings.
package enum KeyRingText {
    /// Reports what became of a ring that was made.
    package static func show(
        _ report: KeyRingReport, ring: BytePath, key: BytePath, json: Bool, quiet: Bool
    ) throws(SystemError) {
        guard !json else {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("path", ring)
                writer.member("keyFile", key)
                writer.member("keyIsNew", report.isKeyNew)
                writer.member("keys", report.count)
                writer.member("keyDerivations", report.derivationCount)
                ErrorMessage.write(report.failures, &writer)
                writer.member("warnings", [String]())
            }
            try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
            return
        }
        for failure in report.failures { Console.log("not in the ring: \(ErrorMessage.describe(failure))") }
        guard !quiet else { return }
        if report.isKeyNew {
            Console.log("\(key): a new key; keep it apart from \(ring), and keep a copy of it")
        }
        try Console.print("\(ring): the keys of \(Quantities.count(report.count, "archive"))")
    }

    /// Lists what is in a ring.
    package static func show(
        _ identifiers: [String], of ring: BytePath, isAuthentic: Bool, json: Bool, quiet: Bool
    ) throws(SystemError) {
        guard !json else {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("path", ring)
                writer.member("isAuthentic", isAuthentic)
                writer.member("vaults", identifiers)
                writer.member("warnings", [String]())
            }
            try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
            return
        }
        guard !quiet else { return }
        for identifier in identifiers { try Console.print("\(identifier)") }
        Console.log(
            isAuthentic
                ? "\(ring): \(Quantities.count(identifiers.count, "archive")), authentic"
                : "\(ring): \(Quantities.count(identifiers.count, "archive")), not checked without --key-file"
        )
    }
}
