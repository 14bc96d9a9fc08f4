import CSQLite
import DataModel

/// The C function that SQLite calls with the argument values of an SQL function.
typealias FunctionBody =
  @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

extension Connection {
  /// Registers datactl's SQL functions with `sqlite3_create_function_v2`. `SQLITE_DIRECTONLY` keeps
  /// schemas from calling them.
  func addFunctions() throws(DataError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    try check(
      unsafe sqlite3_create_function_v2(handle, "_meets", -1, flags, nil, meets, nil, nil, nil))
    try check(
      unsafe sqlite3_create_function_v2(
        handle, "_sum", 1, flags, nil, nil, addToSum, finishSum, nil))
    try check(
      unsafe sqlite3_create_function_v2(
        handle, "_average", 1, flags, nil, nil, addToSum, finishAverage, nil))
  }

  /// The result of a sum that no column type can represent. It is a text, which the reader of a
  /// group query recognizes by its type.
  static let overflow = "overflow"
}

/// `_meets(test, value, …)`: 1 if the value satisfies the test, else 0; never null.
private let meets: FunctionBody = { context, count, values in
  let values = unsafe functionValues(count, values)
  let isSatisfied =
    values.first?.object(PreparedTest.self)?.isSatisfied(by: Array(values.dropFirst())) ?? false
  unsafe sqlite3_result_int(context, isSatisfied ? 1 : 0)
}

/// The running sum of one group, owned through SQLite's aggregate context.
private final class SumBox {
  var sum = RunningSum()
}

/// The step function of `_sum` and `_average`: adds one value to the sum of its group.
private let addToSum: FunctionBody = { context, count, values in
  let size = unsafe Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
  guard let value = unsafe functionValues(count, values).first,
    let memory = unsafe sqlite3_aggregate_context(context, size)
  else { return }
  let pointer = unsafe memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  let object =
    unsafe pointer.pointee ?? Unmanaged.passRetained(SumBox()).toOpaque()
  unsafe pointer.pointee = object
  let box = unsafe Unmanaged<SumBox>.fromOpaque(object).takeUnretainedValue()
  if value.isInteger { box.sum.add(value.integer) }
  if value.isNumber { box.sum.add(value.number) }
}

/// The final function of `_sum`.
private let finishSum: @convention(c) (OpaquePointer?) -> Void = { context in
  unsafe setResult(takeSum(context).total, to: context)
}

/// The final function of `_average`.
private let finishAverage: @convention(c) (OpaquePointer?) -> Void = { context in
  unsafe setResult(takeSum(context).average, to: context)
}

/// Returns the sum of a group and releases its box.
@unsafe
private func takeSum(_ context: OpaquePointer?) -> RunningSum {
  guard let memory = unsafe sqlite3_aggregate_context(context, 0),
    let object = unsafe memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
  else { return RunningSum() }
  return unsafe Unmanaged<SumBox>.fromOpaque(object).takeRetainedValue().sum
}

/// Sets the result of an aggregate function; nil means that the sum overflowed.
@unsafe
private func setResult(_ result: Value?, to context: OpaquePointer?) {
  switch result {
  case .integer(let integer): unsafe sqlite3_result_int64(context, integer)
  case .number(let number): unsafe sqlite3_result_double(context, number)
  case .null: unsafe sqlite3_result_null(context)
  case nil, .text, .boolean, .datetime, .geopoint, .file, .json, .list:
    unsafe csqlite_result_text(context, Connection.overflow)
  }
}

@unsafe
private func functionValues(
  _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) -> [FunctionValue] {
  unsafe UnsafeBufferPointer(start: values, count: Int(count)).compactMap { value in
    unsafe value.map { unsafe FunctionValue($0) }
  }
}
