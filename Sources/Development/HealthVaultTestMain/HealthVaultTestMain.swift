import HealthVaultCommands
import SystemIO
import VaultContainer

/// The program `healthvault` as the tests of its commands run it; it is never installed.
///
/// It accepts archives with fewer iterations, and can be stopped at its system calls. Everything else is the command's.
@main
struct HealthVaultTestMain {
    static func main() async {
        ContainerFormat.acceptFewestIterations()
        await FaultPlan.$current.withValue(CallGate.requested?.plan) { await HealthVaultTool.main() }
    }
}
