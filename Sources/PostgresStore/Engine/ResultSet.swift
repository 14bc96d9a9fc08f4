import CPostgres
import DataModel
import JSONText

/// The result of a statement (a `PGresult`): its rows, or the number of rows that it changed.
@safe
final class ResultSet {
  private let library: LibPQ
  private let handle: datactl_pq_result_ref
  let count: Int

  init(_ handle: datactl_pq_result_ref, _ library: LibPQ) {
    unsafe self.handle = unsafe handle
    self.library = library
    count = unsafe Int(library.rowCount(handle))
  }

  deinit { unsafe library.clear(handle) }

  /// The number of rows that the statement inserted, updated or deleted. Wraps `PQcmdTuples`.
  var changedRows: Int {
    guard let digits = unsafe library.changedRows(handle) else { return 0 }
    return Int(unsafe String(cString: digits)) ?? 0
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    unsafe library.isNull(handle, Int32(row), Int32(column)) != 0
  }

  /// The names of the columns.
  var columns: [String] {
    let count = unsafe library.columnCount(handle)
    return (0..<count).map { column in
      unsafe library.columnName(handle, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  func type(of column: Int) -> UInt32 { unsafe library.columnType(handle, Int32(column)) }

  /// Calls a closure with the bytes of a value. The span is valid only during the call.
  @inline(__always)
  func withBytes<Result>(
    _ row: Int, _ column: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    unsafe body(memory(row, column).bindMemory(to: UInt8.self).span)
  }

  @inline(__always)
  @unsafe
  private func memory(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    let start = unsafe library.value(handle, Int32(row), Int32(column))
    let count = unsafe Int(library.length(handle, Int32(row), Int32(column)))
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Returns a value of 1, 4 or 8 bytes as an integer. Call it only for types of these sizes: it
  /// returns 0 for any other size.
  @inline(__always)
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = unsafe memory(row, column)
    switch bytes.count {
    case 8: return unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(unsafe Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 1: return Int64(unsafe bytes[0])
    default: return 0
    }
  }

  @inline(__always)
  func number(_ row: Int, _ column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: integer(row, column)))
  }

  /// Returns a value as a timestamp. Returns nil if the value is out of the range of `Timestamp`,
  /// such as infinity.
  @inline(__always)
  func time(_ row: Int, _ column: Int) -> Timestamp? {
    let (time, overflows) = integer(row, column).addingReportingOverflow(WireType.epoch)
    return overflows ? nil : Timestamp(microseconds: time)
  }

  /// Returns a date. Returns nil if it is not in the years 1 to 9999.
  func date(_ row: Int, _ column: Int) -> CalendarDate? {
    CalendarDate(days: Int(integer(row, column)) + WireType.epochDays)
  }

  func text(_ row: Int, _ column: Int) -> String? {
    guard !isNull(row, column) else { return nil }
    return withBytes(row, column) { String(decoding: $0) }
  }

  func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
    guard !isNull(row, column) else { return nil }
    return unsafe Array(memory(row, column))
  }
}
