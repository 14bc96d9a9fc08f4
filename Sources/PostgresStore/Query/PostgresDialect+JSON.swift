import DataModel
import DataStore

/// Predicates on values in JSON. A value matches if it meets the predicate itself, or if it is an
/// array and one of its elements does.
extension PostgresDialect {
  /// The maximum nesting depth of stored JSON.
  private static let maxDepth = 128

  func test(json column: SQL, under keys: [String], _ predicate: ColumnPredicate) -> SQL {
    let isDeep = keys.count > Self.maxDepth
    let value = isDeep ? "null::json" : keys.reduce(column) { "(\($0) -> \(.text($1)))" }
    switch predicate.criterion {
    case .isNull: return "coalesce(json_typeof(\(value)), 'null') = 'null'"
    case .isEmpty:
      return """
        (case when json_typeof(\(value)) = 'array' then json_array_length(\(value)) = 0 \
        else false end)
        """
    case .withinCircle, .withinBox: return "false"
    case .compare, .comparePath, .isIn, .between, .like: return anyMatches(of: value, predicate)
    case .contains(let part):
      var element = predicate
      element.criterion = .compare(.equal, part)
      let isElement = """
        (json_typeof(\(value)) = 'array' and \(anyMatches(of: value, element)))
        """ as SQL
      guard case .text = part.scalar else { return isElement }
      let text = "(case when json_typeof(\(value)) = 'string' then \(value) #>> '{}' end)" as SQL
      return "(\(contains(part.scalarText, "(\(text) collate \"C\")", predicate)) or \(isElement))"
    }
  }

  /// A predicate that is true if a value, or an element of an array, matches.
  private func anyMatches(of value: SQL, _ predicate: ColumnPredicate) -> SQL {
    """
    exists (select 1 from json_array_elements(\(Self.valueAndElements(of: value))) \
    as _values (_json), lateral (select json_typeof(_json) as _kind, \
    _json #>> '{}' as _text) as _plain where \(singleMatches(predicate)))
    """
  }

  /// An array of a value and, if the value is an array, its elements. Stored JSON contains no
  /// whitespace, so the texts can be joined.
  private static func valueAndElements(of value: SQL) -> SQL {
    """
    (case when \(value) is not null then '[' || (\(value))::text || case \
    when json_typeof(\(value)) = 'array' and json_array_length(\(value)) > 0 \
    then ',' || substr((\(value))::text, 2) else ']' end end)::json
    """
  }

  /// A predicate for a single value, which must have the type of the value that it is compared
  /// with.
  private func singleMatches(_ predicate: ColumnPredicate) -> SQL {
    switch predicate.criterion {
    case .compare(let comparison, let value):
      if case .json(let text) = value.scalar {
        return comparison == .less || comparison == .greater ? "false" : equalsJSON(text)
      }
      var scalar = predicate
      scalar.criterion = .compare(comparison, value.scalar)
      return test(scalar, ofKind: value.scalar)
    case .comparePath:
      guard let other = predicate.other else { return "false" }
      return test(predicate, ofType: other.type)
    case .between(let low, let high):
      var scalar = predicate
      scalar.criterion = .between(low.scalar, high.scalar)
      return test(scalar, ofKind: low.scalar)
    case .isIn(let values):
      let values = values.map(\.scalar)
      var parts: [SQL] = []
      for type in [FieldType.text, .number, .boolean] {
        var typed = predicate
        let typedValues = values.filter { type.holds($0) }
        if typedValues.isEmpty { continue }
        typed.criterion = .isIn(typedValues)
        parts.append(test(typed, ofType: type))
      }
      for case .json(let text) in values { parts.append(equalsJSON(text)) }
      return parts.isEmpty ? "false" : "(\(SQL.list(parts, separator: " or ")))"
    case .like: return test(predicate, ofType: .text)
    case .isNull, .isEmpty, .contains, .withinCircle, .withinBox: return "false"
    }
  }

  /// A predicate that is true if an object or an array is equal to another one. The order of keys
  /// does not matter, nor does the notation of numbers and letters.
  ///
  /// The values are compared as `jsonb`. If PostgreSQL cannot represent a number as `numeric`, the
  /// texts are compared.
  private func equalsJSON(_ text: String) -> SQL {
    let isReadable = { (json: SQL) -> SQL in
      """
      regexp_replace(\(json), \(.text(Self.quoted)), '""', 'g') \
      !~ '[eE][+-]?0*[1-9][0-9]{4}|[0-9]{250}'
      """
    }
    return """
      (_kind in ('object', 'array') and case when \(isReadable("_json::text")) \
      and \(isReadable("\(.text(text))")) then _json::jsonb = \(.text(text))::jsonb \
      else _json::text = \(.text(text)) end)
      """
  }

  /// A regular expression for quoted strings.
  private static let quoted = #""(\\.|[^"\\])*""#

  private func test(_ predicate: ColumnPredicate, ofKind value: Value) -> SQL {
    switch value {
    case .text: test(predicate, ofType: .text)
    case .integer, .number: test(predicate, ofType: .number)
    case .boolean: test(predicate, ofType: .boolean)
    case .null, .datetime, .geopoint, .file, .json, .list: "false"
    }
  }

  private func test(_ predicate: ColumnPredicate, ofType type: FieldType) -> SQL {
    if type.isText {
      let text: SQL = "((case when _kind = 'string' then _text end) collate \"C\")"
      return predicate.test(column: text, of: .text)
    }
    if type == .boolean {
      let boolean: SQL = "(case when _kind = 'boolean' then _text::boolean end)"
      return predicate.test(column: boolean, of: .boolean)
    }
    guard type == .integer || type == .number else { return "false" }
    return """
      (_kind = 'number' and exists (select 1 from (select \(Self.numeric) as _number) as _numbers \
      where case when _number = trunc(_number) and _number between -9223372036854775808 \
      and 9223372036854775807 then \(predicate.test(column: "_number::bigint", of: .integer)) \
      else \(predicate.test(column: Self.double, of: .number)) end))
      """
  }

  /// The value of a JSON number; for an exponent beyond the range of doubles, zero or a number
  /// beyond every double.
  private static let numeric: SQL = """
    (case when _kind <> 'number' then null \
    when _text ~ '[eE][+-]?0*[1-9][0-9]{3}' then (case when _text ~ '^-?[0.]+[eE]' \
    or _text ~ '[eE]-' then 0 when _text like '-%' then -1e309 else 1e309 end)::numeric \
    else _text::numeric end)
    """

  /// The number as a double: infinite above the largest, and zero below the smallest.
  private static let double: SQL = """
    (case when _number >= 1.797693134862315808e308 then 'Infinity'::double precision \
    when _number <= -1.797693134862315808e308 then '-Infinity'::double precision \
    when abs(_number) <= 2.4703282292062327e-324 then 0::double precision \
    else _number::double precision end)
    """
}

extension Value {
  /// The value of a JSON scalar: a text, a number or a boolean.
  fileprivate var scalar: Value {
    if case .json(let text) = self { JSONPathEvaluator.scalar(text.utf8.span) } else { self }
  }

  fileprivate var scalarText: String {
    if case .text(let text) = scalar { text } else { "" }
  }
}
