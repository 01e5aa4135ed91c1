import CDerivations
import Commands
import SystemIO
import VaultContainer

/// The program `healthvault` as the tests of its commands run it; it is never installed.
///
/// It accepts archives with fewer iterations, derives no key twice if the variable `HEALTHVAULT_TEST_DERIVATIONS` names a folder
/// to keep them in, can be stopped at its system calls, and its shell locks after as many seconds as the variable
/// `HEALTHVAULT_TEST_IDLE` says. Everything else is the command's.
@main
struct HealthVaultTestMain {
    static func main() async {
        ContainerFormat.acceptFewestIterations()
        if let seconds = CurrentProcess.environment("HEALTHVAULT_TEST_IDLE").flatMap({ Int($0) }) {
            IdleLimit.shorten(to: seconds)
        }
        await FaultPlan.$current.withValue(CallGate.requested?.plan) { await HealthVaultTool.main() }
    }
}
