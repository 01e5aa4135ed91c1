// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions bear their names of the C header, which Swift demands of an implementation.

public import CHealthVault
import SystemIO

/// Returns the version of the interface.
@c(hv_abi_version) @implementation
public func hv_abi_version() -> Int32 { Int32(HV_ABI_VERSION) }

/// Opens an archive.
@c(hv_open) @implementation
public func hv_open(
    _ path: UnsafePointer<CChar>!, _ credential: UnsafePointer<hv_credential>!,
    _ archive: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe CallerArguments.reporting(error) {
        guard let path = unsafe path, let credential = unsafe credential, let archive = unsafe archive else {
            throw CallerError("path, credential or archive is NULL")
        }
        unsafe archive.pointee = nil
        let key = try unsafe CallerArguments.credential(credential)
        let chain = try key.open(unsafe CallerArguments.path(path))
        let opened = OpenedArchive(chain)
        unsafe archive.pointee = unsafe OpaquePointer(Unmanaged.passRetained(opened).toOpaque())
    }
}

/// Closes an archive.
@c(hv_close) @implementation
public func hv_close(_ archive: OpaquePointer!) {
    guard let archive = unsafe archive else { return }
    let handle = unsafe Unmanaged<OpenedArchive>.fromOpaque(UnsafeRawPointer(archive))
    // In a child, another thread of the parent may have been using it.
    if unsafe handle._withUnsafeGuaranteedRef({ $0.isInherited }) { return }
    unsafe handle.release()
}
