import CFuzzer
import Glibc

/// The target to fuzz, chosen by the environment variable `FUZZ_TARGET`.
///
/// It is not an argument, because libFuzzer restarts the program with its own arguments.
private let chosen: @Sendable ([UInt8]) -> Void = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all[name] else {
        print("FUZZ_TARGET must be one of:", FuzzTarget.all.keys.sorted().joined(separator: " "))
        exit(2)
    }
    return target
}()

/// The library refers to this name.
@c(LLVMFuzzerTestOneInput) public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    chosen(unsafe [UInt8](UnsafeBufferPointer(start: data, count: size)))
    return 0
}

/// The command `healthvault-fuzz`, built by `make fuzz`.
@main
struct FuzzTool {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
        _ = chosen
        exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }
}
