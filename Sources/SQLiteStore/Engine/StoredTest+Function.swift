import CSQLite
import DataModel
import DataStore

extension Statement {
  /// Binds a test as the first argument of the function `_meets` (`sqlite3_bind_pointer`). SQLite
  /// releases it when the statement is finalized.
  func bind(_ test: SQLFunctionTest, at index: Int32) throws(DataError) {
    let object = unsafe Unmanaged.passRetained(PreparedTest(test)).toOpaque()
    let code = unsafe csqlite_bind_object(handle, index, object) { object in
      guard let object = unsafe object else { return }
      unsafe Unmanaged<PreparedTest>.fromOpaque(object).release()
    }
    try check(code)
  }
}

/// A test that is compiled once and evaluated for the values of many rows.
final class PreparedTest {
  private let stored: SQLFunctionTest
  private let test: CriterionTest

  init(_ stored: SQLFunctionTest) {
    self.stored = stored
    test = CriterionTest(stored.criterion)
  }

  /// Returns whether values satisfy the test.
  ///
  /// - Parameter values: The value of a column, or the latitude and longitude of a point; then the
  ///   value
  /// of the field that it is compared with, if any.
  func isSatisfied(by values: [FunctionValue]) -> Bool {
    guard let first = values.first else { return false }
    let other = stored.otherType.flatMap { values.last?.value(of: $0) } ?? .null
    switch stored.type {
    case .id, .text, .relation:
      return first.withText { test.isSatisfied(byText: $0) } ?? test.isSatisfied(by: .null)
    case .json:
      let value = first.withText { JSONPathEvaluator.value(under: stored.keys, in: $0) }
      return test.isSatisfied(by: value ?? .null, comparedTo: other)
    case .array(let element):
      let list = first.withText { ListText.values(in: $0, of: element) }
      return test.isSatisfied(by: list.flatMap { $0 }.map(Value.list) ?? .null, comparedTo: other)
    case .geopoint:
      let point = values.count > 1 ? first.point(values[1]) : nil
      return test.isSatisfied(by: point.map(Value.geopoint) ?? .null)
    case .integer, .number, .boolean, .datetime, .file, .password:
      return test.isSatisfied(by: first.value(of: stored.type), comparedTo: other)
    }
  }
}

/// An argument of an SQL function (`sqlite3_value`), valid during the call.
@safe
struct FunctionValue {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  private var kind: Int32 { unsafe sqlite3_value_type(handle) }

  /// Calls a closure with the bytes of a text; returns nil if the value is not a text.
  func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    guard kind == SQLITE_TEXT else { return nil }
    let start = unsafe sqlite3_value_blob(handle)
    let count = unsafe Int(sqlite3_value_bytes(handle))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe body(bytes.bindMemory(to: UInt8.self).span)
  }

  /// The value as a type that is stored in one column.
  func value(of type: FieldType) -> Value {
    switch (kind, type) {
    case (SQLITE_INTEGER, .boolean): .boolean(integer != 0)
    case (SQLITE_INTEGER, .datetime): Timestamp(microseconds: integer).map(Value.datetime) ?? .null
    case (SQLITE_INTEGER, _): .integer(integer)
    case (SQLITE_FLOAT, _): .number(number)
    case (SQLITE_TEXT, _): withText { .text(String(decoding: $0)) } ?? .null
    default: .null
    }
  }

  /// The point with this value as its latitude, or nil if the values are no valid point.
  func point(_ longitude: FunctionValue) -> GeoPoint? {
    guard kind == SQLITE_FLOAT, longitude.kind == SQLITE_FLOAT else { return nil }
    return try? GeoPoint(latitude: number, longitude: longitude.number)
  }

  var integer: Int64 { unsafe sqlite3_value_int64(handle) }
  var number: Double { unsafe sqlite3_value_double(handle) }
  var isInteger: Bool { kind == SQLITE_INTEGER }
  var isNumber: Bool { kind == SQLITE_FLOAT }

  /// The object that was bound with `sqlite3_bind_pointer`.
  func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
    guard let object = unsafe csqlite_object(handle) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
  }
}
