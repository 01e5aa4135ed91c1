import Synchronization
import SystemIO

/// Stops the process before system calls until its parent lets it go on, so that a test can look at the files, and kill
/// the process or send it a signal, at exactly this point and however fast the computer is.
///
/// The variable `HEALTHVAULT_TEST_GATE` names a descriptor of a socket and the calls: `5 write fsync`. Before each of them
/// the name of the call is written there as a line, and a byte is awaited. Once the other end is closed, nothing stops
/// the process any more.
final class CallGate: Sendable {
    /// The gate that the environment asks for, if it does.
    static var requested: CallGate? {
        guard let text = CurrentProcess.environment("HEALTHVAULT_TEST_GATE") else { return nil }
        let words = text.split(separator: " ")
        guard let number = words.first.flatMap({ Int32($0) }), FileDescriptor.isInherited(Int(number)) else {
            return nil
        }
        return CallGate(number, Set(words.dropFirst().compactMap { SystemCall(rawValue: String($0)) }))
    }

    private let calls: Set<SystemCall>
    /// The socket; nil once nobody is at its other end.
    private let socket: Mutex<Int32?>

    private init(_ number: Int32, _ calls: Set<SystemCall>) {
        self.calls = calls
        socket = Mutex(number)
    }

    /// The plan that stops the process.
    var plan: FaultPlan {
        FaultPlan(calls, at: 0, .after { self.pass($0) }, repeats: true)
    }

    /// Waits until a call may be made; other calls wait meanwhile.
    private func pass(_ call: SystemCall) {
        // What is read and written here is no call of the program.
        FaultPlan.$current.withValue(nil) {
            socket.withLock { socket in
                guard let number = socket else { return }
                let file = FileDescriptor(inherited: number, name: "the gate of the test")
                do {
                    try file.write(Array("\(call.rawValue)\n".utf8).span)
                    var answer: [UInt8] = [0]
                    var span = answer.mutableSpan
                    if try file.read(into: &span) == 0 { socket = nil }
                } catch { socket = nil }
            }
        }
    }
}
