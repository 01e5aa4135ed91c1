// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions bear their names of the C header, which Swift demands of an implementation.

public import CHealthVault
import SystemIO

/// Reports the types of samples.
@c(hv_types) @implementation
public func hv_types(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { archive, _ in try archive.typeTable() }
}

/// Reports the batches that may contain requested samples.
@c(hv_batches) @implementation
public func hv_batches(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.batchTable($1) }
}

/// Reads samples.
@c(hv_samples) @implementation
public func hv_samples(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try SampleStream($0, $1) }
}

/// Computes statistics.
@c(hv_statistics) @implementation
public func hv_statistics(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.statisticsTable($1) }
}

/// Reads nights.
@c(hv_sleep) @implementation
public func hv_sleep(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.sleepTable($1) }
}

/// Reads workouts.
@c(hv_workouts) @implementation
public func hv_workouts(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.workoutTable($1) }
}

/// Reads activity rings.
@c(hv_rings) @implementation
public func hv_rings(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.ringTable($1) }
}

/// Reads the routes of workouts.
@c(hv_routes) @implementation
public func hv_routes(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.routeTable($1) }
}

/// Reads electrocardiograms.
@c(hv_electrocardiograms) @implementation
public func hv_electrocardiograms(
    _ archive: OpaquePointer!, _ query: UnsafePointer<hv_query>!,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<hv_error>!
) -> Int32 {
    unsafe open(archive, query, stream, error) { try $0.electrocardiogramTable($1) }
}

/// Opens a stream of a table.
private func open(
    _ handle: OpaquePointer?, _ query: UnsafePointer<hv_query>?,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<hv_error>?,
    _ table: (OpenedArchive, TableQuery) throws -> any TableSource
) -> Int32 {
    unsafe CallerArguments.reporting(error) {
        guard let stream = unsafe stream else { throw CallerError("the stream is NULL") }
        // A stream without a release is none.
        unsafe stream.initialize(to: ArrowArrayStream())
        let archive = try unsafe CallerArguments.archive(handle)
        let query = try unsafe CallerArguments.query(query)
        unsafe ArrowStreamExport.export(try table(archive, query), to: stream)
    }
}
