import CSQLite
import DataModel
import DataStore
import JSONText

/// A C function that SQLite calls for an SQL function. It receives a context, the number of
/// arguments, and the arguments.
typealias FunctionBody =
  @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

extension Connection {
  /// Registers the SQL functions and aggregates of datactl with `sqlite3_create_function_v2`. They are
  /// registered with `SQLITE_DIRECTONLY`, so views, triggers and other parts of the database schema
  /// cannot call them.
  func addFunctions() throws(DataError) {
    func add(
      _ name: String, _ argumentCount: Int32, _ function: FunctionBody?,
      step: FunctionBody? = nil, final: (@convention(c) (OpaquePointer?) -> Void)? = nil
    ) throws(DataError) {
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
      try check(
        unsafe sqlite3_create_function_v2(
          handle, name, argumentCount, flags, nil, function, step, final, nil))
    }
    try unsafe add("_meets", -1, meets)
    try unsafe add("_compute", -1, compute)
    try unsafe add("_elements", -1, elements)
    try unsafe add("_element", 2, element)
    try unsafe add("_sum", -1, nil, step: addToSum, final: finishSum)
    try unsafe add("_average", -1, nil, step: addToSum, final: finishAverage)
    try unsafe add("_middle", -1, nil, step: addToSum, final: finishMiddle)
    try unsafe add("_least", 1, nil, step: keepLeast, final: finishExtreme)
    try unsafe add("_greatest", 1, nil, step: keepGreatest, final: finishExtreme)
  }
}

/// Implements the SQL function `_meets(test, value, …)`. It returns 1 if the value satisfies the
/// test, and 0 if it does not; it never returns null.
private let meets: FunctionBody = { context, count, values in
  let values = unsafe FunctionValues(values, count)
  let isSatisfied =
    values.first?.object(PreparedTest.self)?.isSatisfied(by: values.dropFirst()) ?? false
  unsafe sqlite3_result_int(context, isSatisfied ? 1 : 0)
}

/// Implements the SQL function `_compute(expression, value, …)`. It returns the value of the
/// expression, given the values of its operands. If a JSON value has a type that is not supported,
/// the function fails with `SQLITE_MISMATCH`.
private let compute: FunctionBody = { context, count, values in
  let values = unsafe FunctionValues(values, count)
  guard let prepared = values.first?.object(PreparedExpression.self) else { return }
  do throws(DataError) {
    unsafe setValue(try prepared.value(of: values.dropFirst()), of: context)
  } catch {
    unsafe sqlite3_result_error_code(context, SQLITE_MISMATCH)
  }
}

/// Implements the SQL function `_elements(list, key, …)`. It returns the distinct elements of a list,
/// or of the list under a path of keys in JSON, as a JSON array of strings: the text of each element.
private let elements: FunctionBody = { context, count, values in
  let values = unsafe FunctionValues(values, count)
  let keys = values.dropFirst().compactMap { key in key.withText { String(decoding: $0) } }
  let texts = values.first?.withText { text in
    JSONPathEvaluator.distinctElements(under: keys, in: text)
  }
  guard let texts else { return unsafe sqlite3_result_null(context) }
  var list: [UInt8] = []
  ListText.append(texts.map(Value.text), to: &list)
  unsafe csqlite_result_text(context, String(decoding: list, as: UTF8.self))
}

/// Implements the SQL function `_element(text, type)`. It returns an element of a list in its stored
/// form. SQLite's own functions would convert some numbers inexactly.
private let element: FunctionBody = { context, count, values in
  let values = unsafe FunctionValues(values, count)
  let type = values.last?.withText { ElementType(rawValue: String(decoding: $0)) }.flatMap { $0 }
  let value = values.first?.withText { text in
    guard let type else { return Value.json(String(decoding: text)) }
    let list = Array("[\(String(decoding: text))]".utf8)
    return ListText.values(in: list.span, of: type)?.first ?? .null
  }
  unsafe setValue(value ?? .null, of: context)
}

/// Sets the result of an SQL function to a value in its stored form: a date becomes text, and a
/// datetime becomes a number of microseconds.
@unsafe
private func setValue(_ value: Value, of context: OpaquePointer?) {
  if case .decimal(let decimal) = value {
    let bytes = ComputedDecimal.bytes(of: decimal)
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe csqlite_result_blob(context, bytes.baseAddress, Int32(bytes.count))
    }
  }
  let value = value.stored
  if case .integer(let integer) = value {
    unsafe sqlite3_result_int64(context, integer)
  } else if case .number(let number) = value {
    unsafe sqlite3_result_double(context, number)
  } else if value.type == .text || value.type == .json {
    unsafe csqlite_result_text(context, value.text)
  } else {
    unsafe sqlite3_result_null(context)
  }
}

/// The running sum of one group. SQLite's aggregate context holds a retained reference to this
/// object.
private final class SumBox {
  var sum = RunningSum()
}

/// The step function of `_sum` and `_average`: adds one value to the sum of its group.
private let addToSum: FunctionBody = { context, count, values in
  let size = unsafe Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
  let values = unsafe FunctionValues(values, count)
  guard let value = values.first,
    let memory = unsafe sqlite3_aggregate_context(context, size)
  else { return }
  let pointer = unsafe memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  let object =
    unsafe pointer.pointee ?? Unmanaged.passRetained(SumBox()).toOpaque()
  unsafe pointer.pointee = object
  let box = unsafe Unmanaged<SumBox>.fromOpaque(object).takeUnretainedValue()
  if let scale = values.dropFirst().first {
    if let decimal = value.decimal(scale: Int(scale.integer)) { box.sum.add(decimal) }
    return
  }
  if value.isInteger { box.sum.add(value.integer) }
  if value.isNumber { box.sum.add(value.number) }
}

/// The final function of `_sum`: returns the sum of the group, and releases the object that stored
/// it.
private let finishSum: @convention(c) (OpaquePointer?) -> Void = { context in
  unsafe setValue(takeSum(context).total, of: context)
}

/// The final function of `_average`: returns the average of the group, and releases the object that
/// stored the sum.
private let finishAverage: @convention(c) (OpaquePointer?) -> Void = { context in
  unsafe setValue(takeSum(context).average, of: context)
}

/// The final function of `_middle`.
private let finishMiddle: @convention(c) (OpaquePointer?) -> Void = { context in
  unsafe setValue(takeSum(context).middle, of: context)
}

/// Returns the sum of a group, and releases the object that stored the sum. Returns an empty sum if
/// the group has no rows.
@unsafe
private func takeSum(_ context: OpaquePointer?) -> RunningSum {
  guard let memory = unsafe sqlite3_aggregate_context(context, 0),
    let object = unsafe memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
  else { return RunningSum() }
  return unsafe Unmanaged<SumBox>.fromOpaque(object).takeRetainedValue().sum
}

/// The least or greatest JSON scalar of one group.
private final class ExtremeBox {
  var value = Value.null
}

/// The step function of `_least`: keeps the value if it is less than all earlier values of its
/// group.
private let keepLeast: FunctionBody = { context, count, values in
  unsafe keepExtreme(context, FunctionValues(values, count)) { $0.isJSON(before: $1) }
}

/// The step function of `_greatest`: keeps the value if it is greater than all earlier values of
/// its group.
private let keepGreatest: FunctionBody = { context, count, values in
  unsafe keepExtreme(context, FunctionValues(values, count)) { $1.isJSON(before: $0) }
}

/// Keeps a value as the least or the greatest of its group, if it is better than the value kept so
/// far. Nulls are ignored. `_least` and `_greatest` pass opposite comparisons.
@unsafe
private func keepExtreme(
  _ context: OpaquePointer?, _ values: FunctionValues, isBetter: (Value, Value) -> Bool
) {
  let size = unsafe Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
  guard let text = values.first?.withText({ String(decoding: $0) }),
    let memory = unsafe sqlite3_aggregate_context(context, size)
  else { return }
  let pointer = unsafe memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  let object = unsafe pointer.pointee ?? Unmanaged.passRetained(ExtremeBox()).toOpaque()
  unsafe pointer.pointee = object
  let box = unsafe Unmanaged<ExtremeBox>.fromOpaque(object).takeUnretainedValue()
  if box.value == .null || isBetter(.json(text), box.value) { box.value = .json(text) }
}

/// The final function of `_least` and `_greatest`: returns the value that the step function kept.
private let finishExtreme: @convention(c) (OpaquePointer?) -> Void = { context in
  guard let memory = unsafe sqlite3_aggregate_context(context, 0),
    let object = unsafe memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
  else { return }
  unsafe setValue(
    Unmanaged<ExtremeBox>.fromOpaque(object).takeRetainedValue().value, of: context)
}

/// The arguments of an SQL function, valid during the call. They are not copied to an array, because
/// the functions are called for each row.
@safe
struct FunctionValues: RandomAccessCollection {
  private let start: UnsafeMutablePointer<OpaquePointer?>
  let count: Int

  @unsafe
  init(_ start: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32) {
    guard let start = unsafe start, count > 0 else { preconditionFailure("no arguments") }
    unsafe self.start = unsafe start
    self.count = Int(count)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> FunctionValue {
    precondition(indices.contains(index))
    guard let handle = unsafe start[index] else { preconditionFailure("a missing argument") }
    return unsafe FunctionValue(handle)
  }
}

extension Statement {
  /// Binds a predicate as the first argument of the SQL function `_meets`, using
  /// `sqlite3_bind_pointer`. SQLite releases the predicate when the statement is finalized.
  func bind(_ test: SQLFunctionTest, at index: Int32) throws(DataError) {
    let object = unsafe Unmanaged.passRetained(PreparedTest(test)).toOpaque()
    let code = unsafe csqlite_bind_object(handle, index, object) { object in
      guard let object = unsafe object else { return }
      unsafe Unmanaged<PreparedTest>.fromOpaque(object).release()
    }
    try check(code)
  }
}

extension Statement {
  /// Binds an expression as the first argument of the SQL function `_compute`. SQLite releases the
  /// expression when the statement is finalized.
  func bind(_ expression: ResolvedExpression, at index: Int32) throws(DataError) {
    let object = unsafe Unmanaged.passRetained(PreparedExpression(expression)).toOpaque()
    let code = unsafe csqlite_bind_object(handle, index, object) { object in
      guard let object = unsafe object else { return }
      unsafe Unmanaged<PreparedExpression>.fromOpaque(object).release()
    }
    try check(code)
  }
}

/// An expression that is evaluated for the values of many rows.
final class PreparedExpression {
  /// How an operand is read from an argument.
  private enum Reading {
    case json(keys: [String])
    case list(ElementType)
    case scalar(FieldType)
  }

  private let expression: ResolvedExpression
  private let readings: [Reading]

  init(_ expression: ResolvedExpression) {
    self.expression = expression
    readings = expression.operands.map { operand in
      if case .path(let path) = operand, path.type == .json { return .json(keys: path.keys) }
      if operand.type == .json { return .json(keys: []) }
      if case .array(let element) = operand.type { return .list(element) }
      return .scalar(operand.type)
    }
  }

  /// Returns the value of the expression.
  ///
  /// - Parameter values: The values of the expression's operands in one row.
  func value(of values: Slice<FunctionValues>) throws(DataError) -> Value {
    try expression.value(of: { index in
      let value = values[values.startIndex + index]
      switch readings[index] {
      case .scalar(let type): return value.value(of: type)
      case .json(let keys):
        return value.withText { JSONPathEvaluator.text(under: keys, in: $0) } ?? .null
      case .list(let element):
        let list = value.withText { ListText.values(in: $0, of: element) }
        return list.flatMap { $0 }.map(Value.list) ?? .null
      }
    })
  }
}

/// A predicate that is prepared once for a statement and evaluated for the values of many rows.
final class PreparedTest {
  private let stored: SQLFunctionTest
  private let test: CriterionTest

  init(_ stored: SQLFunctionTest) {
    self.stored = stored
    test = CriterionTest(stored.criterion)
  }

  /// Returns whether the values of one row satisfy the predicate.
  ///
  /// - Parameter values: The value of a column, or the latitude and longitude of a point. If the
  ///   predicate compares two fields, the value of the other field follows.
  func isSatisfied(by values: Slice<FunctionValues>) -> Bool {
    guard let first = values.first else { return false }
    let other = stored.otherType.flatMap { values.last?.value(of: $0) } ?? .null
    switch stored.type {
    case .json:
      let value = first.withText { JSONPathEvaluator.value(under: stored.keys, in: $0) }
      return test.isSatisfied(by: value ?? .null, comparedTo: other)
    case .array(let element):
      let list = first.withText { ListText.values(in: $0, of: element) }
      return test.isSatisfied(by: list.flatMap { $0 }.map(Value.list) ?? .null, comparedTo: other)
    case .geopoint:
      let point = values.dropFirst().first.flatMap { first.point($0) }
      return test.isSatisfied(by: point.map(Value.geopoint) ?? .null)
    case let type where type.isText || type.relation != nil:
      return first.withText { test.isSatisfied(byText: $0) } ?? test.isSatisfied(by: .null)
    case let type: return test.isSatisfied(by: first.value(of: type), comparedTo: other)
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

  /// Calls a closure with the bytes of the text and returns the result of the closure. Returns nil
  /// without calling it if the value is not text.
  func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    kind == SQLITE_TEXT ? withBytes(body) : nil
  }

  private func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let start = unsafe sqlite3_value_blob(handle)
    let count = unsafe Int(sqlite3_value_bytes(handle))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe body(bytes.bindMemory(to: UInt8.self).span)
  }

  /// Returns the argument as a value of the given type, or null if the argument is null or not
  /// valid for the type. The type must be stored in a single column, unlike `geopoint`.
  func value(of type: FieldType) -> Value {
    switch (kind, type) {
    case (SQLITE_INTEGER, .boolean): .boolean(integer != 0)
    case (SQLITE_INTEGER, .datetime): Timestamp(microseconds: integer).map(Value.datetime) ?? .null
    case (SQLITE_INTEGER, .decimal(let digits)), (SQLITE_BLOB, .decimal(let digits)):
      decimal(scale: digits.scale).map(Value.decimal) ?? .null
    case (SQLITE_INTEGER, _): .integer(integer)
    case (SQLITE_FLOAT, _): .number(number)
    case (SQLITE_TEXT, .date):
      withText { try? CalendarDate(parsing: $0) }.flatMap { $0 }.map(Value.date) ?? .null
    case (SQLITE_TEXT, _): withText { .text(String(decoding: $0)) } ?? .null
    default: .null
    }
  }

  /// Returns the point that has this value as its latitude. Returns nil if the two coordinates are
  /// not a valid point.
  func point(_ longitude: FunctionValue) -> GeoPoint? {
    guard kind == SQLITE_FLOAT, longitude.kind == SQLITE_FLOAT else { return nil }
    return try? GeoPoint(latitude: number, longitude: longitude.number)
  }

  /// Returns the argument as a decimal with the given scale: the integer of a field, or the bytes of a
  /// computed value. Returns nil for other arguments.
  func decimal(scale: Int) -> DecimalValue? {
    if isInteger { return DecimalValue(coefficient: Int128(integer), scale: scale) }
    guard kind == SQLITE_BLOB else { return nil }
    return withBytes { ComputedDecimal.value($0, scale: scale) }
  }

  var integer: Int64 { unsafe sqlite3_value_int64(handle) }
  var number: Double { unsafe sqlite3_value_double(handle) }
  var isInteger: Bool { kind == SQLITE_INTEGER }
  var isNumber: Bool { kind == SQLITE_FLOAT }

  /// Returns the object that was bound with `sqlite3_bind_pointer`, or nil if no object was bound.
  /// The caller must know the type of the object.
  func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
    guard let object = unsafe csqlite_object(handle) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
  }
}
