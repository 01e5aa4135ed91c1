import Commands

/// The program `healthvault`.
@main
struct HealthVaultCLI {
    static func main() async { await HealthVaultTool.main() }
}
