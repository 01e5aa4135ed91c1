import HealthVault
import SystemIO

/// Errors of archives that continue each other.
enum ChainText {
    static func describe(_ error: VaultError) -> ErrorMessage {
        let path = error.path
        switch error.code {
        case .predecessorMissing(let name, let vault):
            return ErrorMessage(
                "\(path): continues \(name) (identifier \(vault)), which is not in its folder",
                hint: "put the two into one folder; 'healthvault recover' gets out what this one holds alone",
                .notFound)
        case .otherPredecessor(let newer):
            return ErrorMessage(
                "\(path): not the archive that \(newer) continues",
                hint: "give back the one that it was when \(newer.name) was made, under any name", .damaged)
        default:
            return ErrorMessage(
                "\(path): continues itself, or too many others", hint: "it was not made by this program",
                .damaged)
        }
    }
}
