import CommandLineKit
import HealthVault
import SystemIO

/// The options for a FHIR server: its credentials, and whom it is trusted by.
extension ServerAccess {
    static let elements: [GrammarElement<ServerAccess>] = [
        .option(
            \.tokenFile, "token-file", value: "FILE", "read the bearer token from a file or pipe", as: .file),
        .option(
            \.authorities, "ca-file", value: "FILE",
            "trust the certificates in this file instead of the system's", as: .file),
        .option(
            \.subject, "subject", value: "REFERENCE",
            "the person whose samples they are, such as Patient/123",
            as: .text),
    ]

    func validate(for targets: [TargetLocation]) throws(UsageError) {
        for target in targets {
            switch target {
            case .sqlite(let path): try OutputName.validate(path, .database, option: "--target")
            case .folder(let path): try OutputName.validate(path, .folder, option: "--target")
            case .postgreSQL, .fhir: break
            }
        }
        guard tokenFile != nil || authorities != nil || subject != nil else { return }
        let isServed = targets.contains { target in
            if case .fhir = target { true } else { false }
        }
        guard !isServed else { return }
        throw UsageError(
            .invalidCombination,
            "--token-file, --ca-file and --subject are for FHIR servers only")
    }
}
