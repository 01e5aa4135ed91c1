// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The function bears its name of the C header, which Swift demands of an implementation.

import CHealthVault
import Glibc

/// Destroys a capsule of Python.
@c(hv_destroy_capsule) @implementation
public func hv_destroy_capsule(_ capsule: UnsafeMutableRawPointer!) {
    guard let capsule = unsafe capsule else { return }
    // Found in the process that loaded the library: it is linked to no version of Python.
    guard let function = unsafe dlsym(nil, "PyCapsule_GetPointer") else { return }
    let pointer = unsafe unsafeBitCast(
        function,
        to: (@convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?).self)
    guard let place = unsafe pointer(capsule, "arrow_array_stream") else { return }
    let stream = unsafe place.assumingMemoryBound(to: ArrowArrayStream.self)
    // A consumer that has taken the stream has left none.
    if let release = unsafe stream.pointee.release { unsafe release(stream) }
    unsafe free(place)
}
