import ByteText
import HealthVault
import SystemIO
import VaultContainer
import Wording

extension PassphraseCommand {
    /// What became of the archives.
    struct Outcome {
        var changed: [BytePath] = []
        var failures: [ArchiveFailure] = []
        /// The archives of the chain that --slot leaves as they are: the numbers of their slots may be others.
        var untouched: [BytePath] = []
        /// What the old passphrase still opens.
        var stillOpened: [BytePath] = []

        var isComplete: Bool { failures.isEmpty && untouched.isEmpty }
    }

    /// Shows the key slots of archives, and in JSON what became of them; returns whether all could be read.
    func show(_ paths: [BytePath], isFolder: Bool, _ outcome: Outcome) throws -> Bool {
        let listings = try listings(of: paths)
        var headers: [(path: BytePath, header: CleartextHeader)] = []
        var outcome = outcome
        for path in paths {
            do { headers.append((path, try CleartextHeader(of: path))) } catch {
                guard isFolder else { throw VaultError.wrapping(error, path: path) }
                outcome.failures.append(ArchiveFailure(path, error))
            }
        }
        guard json else {
            for (path, header) in headers {
                if isFolder { try Console.print("\(path):") }
                for line in SlotText.lines(header.slots, listings[path]) { try Console.print(line) }
                WarningText.show(header.warnings, path)
            }
            for failure in outcome.failures { Console.log("not shown: \(ErrorMessage.describe(failure))") }
            return outcome.isComplete
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", archive)
            if isFolder {
                writer.member("archives", objects: headers) { found, writer in
                    writer.member("path", found.path)
                    write(found.header, listings[found.path], &writer)
                }
                writer.member("warnings", [String]())
            } else {
                for (path, header) in headers { write(header, listings[path], &writer) }
            }
            if action != .list {
                writer.member("changed", outcome.changed)
                writer.member("untouched", outcome.untouched)
                writer.member("stillOpened", outcome.stillOpened)
            }
            if isFolder || action != .list { ErrorMessage.write(outcome.failures, &writer) }
        }
        try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
        return outcome.isComplete
    }

    private func write(_ header: CleartextHeader, _ listing: SlotListing?, _ writer: inout JSONWriter) {
        writer.member("generation", Int(clamping: header.generation))
        if let opened = listing?.opened { writer.member("openedSlot", opened) }
        writer.member("warnings", header.warnings.map(\.rawValue).sorted())
        SlotText.write(header.slots, listing, &writer)
    }

    /// Returns what the passphrase shows of archives, if one was given for 'list'; it must open one of them.
    private func listings(of paths: [BytePath]) throws -> [BytePath: SlotListing] {
        guard action == .list, passphrase.isGiven else { return [:] }
        let secret = try passphrase.readUnattended()
        var listings: [BytePath: SlotListing] = [:]
        var failure: VaultError?
        for path in paths {
            do { listings[path] = try SlotListing(of: path, openedBy: secret) } catch {
                failure = failure ?? VaultError.wrapping(error, path: path)
            }
        }
        if listings.isEmpty, let failure { throw failure }
        return listings
    }
}
