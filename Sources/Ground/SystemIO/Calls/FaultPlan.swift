import Glibc
import Synchronization

/// Makes the n-th system call of a kind fail, so that tests can try every failure of a write path in turn; or does
/// something before each of them, so that tests can stop a process at any of them.
///
/// The plan applies to the task that sets it and its children: `FaultPlan.$current.withValue(plan) { ... }`.
package final class FaultPlan: Sendable {
    /// What happens to the chosen call.
    package enum Effect: Sendable {
        /// The call fails with this error number and does nothing.
        case fail(Int32)
        /// A `write` writes, or a `read` reads, only this many bytes (at least one).
        case short(Int)
        /// This is done, and then the call as it is.
        case after(@Sendable (SystemCall) -> Void)
    }

    /// The plan in force, nil in production.
    @TaskLocal package static var current: FaultPlan?

    private let calls: Set<SystemCall>
    private let target: Int
    private let effect: Effect
    private let repeats: Bool
    private let seen = Mutex(0)

    /// Creates a plan that applies `effect` to the `target`-th (from 0) of the `calls` and, with `repeats`, to all
    /// later ones.
    package init(_ calls: Set<SystemCall>, at target: Int, _ effect: Effect, repeats: Bool = false) {
        self.calls = calls
        self.target = target
        self.effect = effect
        self.repeats = repeats
    }

    /// Number of these calls made so far.
    package var count: Int { seen.withLock { $0 } }

    func effect(on call: SystemCall) -> Effect? {
        guard calls.contains(call) else { return nil }
        let index = seen.withLock { number in
            defer { number += 1 }
            return number
        }
        guard index == target || (repeats && index > target) else { return nil }
        if case .after(let action) = effect {
            action(call)
            return nil
        }
        return effect
    }
}
