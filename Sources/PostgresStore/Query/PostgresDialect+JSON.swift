import DataModel
import DataStore
import JSONText

/// Builds predicates on values in JSON columns. An array satisfies a predicate if the array itself
/// or one of its elements satisfies it.
extension PostgresDialect {
  /// The maximum nesting depth of stored JSON. No value exists at a longer key path.
  private static let maxDepth = 128

  /// Returns an expression for the value at a path of nested keys in a JSON column.
  func value(in column: SQL, under keys: [String]) -> SQL {
    keys.count > Self.maxDepth ? "null::json" : keys.reduce(column) { "(\($0) -> \(.text($1)))" }
  }

  func test(json column: SQL, under keys: [String], _ predicate: ColumnPredicate) -> SQL {
    let value = value(in: column, under: keys)
    switch predicate.criterion {
    case .isNull: return "coalesce(json_typeof(\(value)), 'null') = 'null'"
    case .isEmpty:
      return """
        (case when json_typeof(\(value)) = 'array' then json_array_length(\(value)) = 0 \
        else false end)
        """
    case .withinCircle, .withinBox: return "false"
    case .compare, .comparePath, .compareExpression, .isIn, .between, .like:
      return anyMatches(in: Self.valueAndElements(of: value), predicate)
    case .contains(let part):
      var element = predicate
      element.criterion = .compare(.equal, part)
      let elements = "(case when json_typeof(\(value)) = 'array' then \(value) end)" as SQL
      let isElement = anyMatches(in: elements, element)
      guard case .text = part.scalar else { return isElement }
      let text = "(case when json_typeof(\(value)) = 'string' then \(value) #>> '{}' end)" as SQL
      return "(\(contains(part.scalarText, "(\(text) collate \"C\")", predicate)) or \(isElement))"
    }
  }

  /// Returns a predicate that is true if an element of a JSON array satisfies `predicate`.
  ///
  /// The properties of the elements, such as their types, are computed in nested subqueries.
  /// `lateral` would be simpler, but Citus does not support it in a correlated subquery with a
  /// function.
  private func anyMatches(in array: SQL, _ predicate: ColumnPredicate) -> SQL {
    """
    exists (select 1 from (select _json, _kind, _text, \(Self.numeric) as _number \
    from (select _json, json_typeof(_json) as _kind, _json #>> '{}' as _text \
    from json_array_elements(\(array)) as _values (_json)) as _plain) \
    as _elements where \(singleMatches(predicate)))
    """
  }

  /// Returns an expression for a JSON array that contains a value. If the value is itself an array,
  /// the new array also contains its elements. Stored JSON contains no whitespace, so the new array
  /// can be built by concatenating strings.
  private static func valueAndElements(of value: SQL) -> SQL {
    """
    (case when \(value) is not null then '[' || (\(value))::text || case \
    when json_typeof(\(value)) = 'array' and json_array_length(\(value)) > 0 \
    then ',' || substr((\(value))::text, 2) else ']' end end)::json
    """
  }

  /// Returns a predicate on the JSON value in the column `_json` itself, not on its elements. The
  /// predicate is false if the value is compared with a value of another type.
  private func singleMatches(_ predicate: ColumnPredicate) -> SQL {
    switch predicate.criterion {
    case .compare(let comparison, let value):
      if case .json(let text) = value.scalar {
        return comparison == .less || comparison == .greater ? "false" : equalsJSON(text)
      }
      var scalar = predicate
      scalar.criterion = .compare(comparison, value.scalar)
      return test(scalar, ofKind: value.scalar)
    case .comparePath, .compareExpression:
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

  /// Returns a predicate that is true if the value in the column `_json` is an object or an array
  /// that is equal to the given JSON. The order of keys, the notation of numbers and the escapes in
  /// strings do not matter.
  ///
  /// The values are compared as `jsonb`. If PostgreSQL cannot represent one of the numbers as
  /// `numeric`, the JSON texts are compared instead.
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

  /// A regular expression that matches a string in JSON, including its quotes.
  private static let quoted = #""(\\.|[^"\\])*""#

  private func test(_ predicate: ColumnPredicate, ofKind value: Value) -> SQL {
    guard let type = value.type, [.text, .integer, .number, .boolean].contains(type) else {
      return "false"
    }
    return test(predicate, ofType: type)
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
    guard type.isNumeric else { return "false" }
    return """
      (_kind = 'number' and case when \(Self.isInteger) then \(predicate.test(column: "_number::bigint", of: .integer)) \
      else \(predicate.test(column: Self.double, of: .number)) end)
      """
  }

  /// An expression that converts the JSON number in the column `_text` to `numeric`. A number
  /// outside the range of doubles may become another number outside this range.
  private static let numeric: SQL = """
    (case when _kind <> 'number' then null \
    when length(_text) > 1000 or _text ~ '[eE][+-]?0*[1-9][0-9]{3}' then \(shortenedNumeric) \
    else _text::numeric end)
    """

  /// An expression that converts a JSON number to `numeric` if the number has too many digits or
  /// too large an exponent for this type. The result rounds to the same double as the number.
  ///
  /// The subquery divides the number into its sign, digits and exponent. For example, it converts
  /// `-1.25`, which is -0.125 * 10^1, to the columns `_sign` (`-`), `_digits` (`125`) and `_power`
  /// (1). Only the first 900 digits are used. If there are more, a 1 is appended to show that the
  /// number is larger in magnitude than its first 900 digits.
  private static let shortenedNumeric: SQL = """
    (select case when _digits = '' or _power < -330 then 0::numeric \
    when _power > 310 then (_sign || '1e309')::numeric \
    else (_sign || '0.' || left(_digits, 900) || case when length(_digits) > 900 then '1' else '' \
    end || 'e' || _power)::numeric end from \
    (select _sign, trim('0' from _mantissa) as _digits, \
    _whole - length(_mantissa) + length(ltrim(_mantissa, '0')) \
    + case when ltrim(_exponent, '+-0') = '' then 0 \
    when length(ltrim(_exponent, '+-0')) < 10 then _exponent::bigint \
    when _exponent like '-%' then -10000000000 else 10000000000 end as _power from \
    (select substring(_text from '^-?') as _sign, \
    translate(split_part(_lower, 'e', 1), '-.', '') as _mantissa, \
    length(split_part(ltrim(split_part(_lower, 'e', 1), '-'), '.', 1)) as _whole, \
    split_part(_lower, 'e', 2) as _exponent from (select lower(_text) as _lower) as _number_text) \
    as _number_parts) as _shortened)
    """

  /// An expression for the number in the column `_number`, as a double. It is infinite if the
  /// number is larger than every double, and zero if the number is smaller than every positive
  /// double.
  private static let double: SQL = """
    (case when _number >= 1.797693134862315808e308 then 'Infinity'::double precision \
    when _number <= -1.797693134862315808e308 then '-Infinity'::double precision \
    when abs(_number) <= 2.4703282292062327e-324 then 0::double precision \
    else _number::double precision end)
    """
}

/// Converts JSON values to other values that can be compared, grouped or added up.
extension PostgresDialect {
  /// Returns an expression that converts a JSON value as `form` requires, for example to a number
  /// by which records are sorted.
  func json(_ form: JSONForm, of value: SQL) -> SQL {
    """
    (select \(Self.json(form)) from (select _kind, _text, \(Self.numeric) as _number \
    from (select json_typeof(_json) as _kind, _json #>> '{}' as _text \
    from unnest(array[\(value)]) as _values (_json)) as _plain) as _scalar)
    """
  }

  func json(_ scalar: SQL) -> SQL { "(\(scalar))::json" }

  /// Returns an expression for the least or greatest of the JSON strings, numbers and booleans in a
  /// group, in the order in which JSON values are sorted.
  func extreme(_ scalar: SQL, isGreatest: Bool) -> SQL {
    let keys = JSONForm.sortKeys.map { form -> SQL in
      isGreatest ? "\(json(form, of: json(scalar))) desc" : json(form, of: json(scalar))
    }
    return """
      (array_agg(\(scalar) order by \(SQL.list(keys))) filter (where \(scalar) is not null))[1]
      """
  }

  /// Returns an expression that converts a JSON value as `form` requires. A subquery provides the
  /// type, the text and the number of the value as `_kind`, `_text` and `_number`. Objects and
  /// arrays cannot be converted: the expression then divides by zero, so that PostgreSQL reports an
  /// error.
  private static func json(_ form: JSONForm) -> SQL {
    switch form {
    case .kind:
      """
      (case when _kind is null or _kind = 'null' then 0 when _kind = 'boolean' \
      then case when _text = 'true' then 2 else 1 end when _kind = 'number' then 3 \
      when _kind = 'string' then 4 else \(unsupported) end)::bigint
      """
    case .number: "(case when _kind = 'number' then \(double) end)"
    case .integer:
      """
      (case when \(isInteger) and abs(_number) > \(number: JSONForm.maxExactInteger) \
      then _number::bigint end)
      """
    case .text: "((case when _kind = 'string' then _text end) collate \"C\")"
    case .scalar:
      """
      ((case when _kind is null or _kind = 'null' then null when _kind = 'boolean' then _text \
      when _kind = 'string' then to_json(_text)::text when \(isInteger) then _number::bigint::text \
      when _kind = 'number' then replace(\(double)::text, 'Infinity', '1e999') \
      else \(unsupported)::text end) collate "C")
      """
    case .summand:
      """
      (case when _kind is null or _kind = 'null' then null when _kind = 'number' \
      and abs(_number) < 1.797693134862315808e308 then \(double) \
      else \(unsupported)::double precision end)
      """
    }
  }

  private static let unsupported: SQL = "(1 / (length(_text) - length(_text)))"

  private static let isInteger: SQL = """
    _kind = 'number' and _number = trunc(_number) \
    and _number between -9223372036854775808 and 9223372036854775807
    """
}

extension Value {
  /// The string, number or boolean that a JSON value contains. An object or an array remains JSON.
  /// A value that is not JSON is returned unchanged.
  fileprivate var scalar: Value {
    if case .json(let text) = self { JSONPathEvaluator.scalar(text.utf8.span) } else { self }
  }

  fileprivate var scalarText: String {
    if case .text(let text) = scalar { text } else { "" }
  }
}
