internal import JSONText

extension DraftValue {
  /// A JSON number that saves and queries reject as out of range.
  static let outOfRange = "1e999"

  /// The value as compact JSON text.
  var jsonText: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as JSON. Operations such as `.add(1)`, and files, have the form that
  /// `datactl save` accepts. Infinity and NaN, which JSON cannot represent, become
  /// `outOfRange`.
  func append(to output: inout [UInt8]) {
    switch form {
    case .value(.null), .none: output.append(contentsOf: "null".utf8)
    case .value(.number(let number)) where !number.isFinite:
      output.append(contentsOf: Self.outOfRange.utf8)
    case .value(.geopoint(let point)):
      Self.append(
        [
          .init(name: "lat", value: .number(point.latitude)),
          .init(name: "lon", value: .number(point.longitude)),
        ], to: &output)
    case .value(let value): ListText.append(value, to: &output)
    case .upload(let file): file.append(to: &output)
    case .list(let values): Self.append(values, to: &output)
    case .object(let members): Self.append(members, to: &output)
    case .tree(let value): value.write(to: &output)
    case .record(let tree): JSONQuote.append(tree.record.id.utf8.span, to: &output)
    case .add(let amount): Self.append([.init(name: "$add", value: amount)], to: &output)
    case .edit(let removed, let appended):
      let operations = [("$remove", removed), ("$append", appended)]
      Self.append(
        operations.filter { !$0.1.isEmpty }.map { .init(name: $0.0, value: .list($0.1)) },
        to: &output)
    }
  }

  private static func append(_ values: [DraftValue], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      value.append(to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func append(_ members: [Draft.Entry], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      JSONQuote.append(member.name.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      member.value.append(to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// A description of the value for error messages, such as `number 12` or `an array`.
  var display: String {
    switch form {
    case .value(.null), .none: "null"
    case .value(.text(let text)): "text " + Excerpt.quoted(text)
    case .value(.integer(let integer)): "number \(integer)"
    case .value(.number(let number)): "number \(number)"
    case .value(.boolean(let boolean)): "\(boolean)"
    case .value(.date(let date)): "date \(date)"
    case .value(.datetime(let time)): "datetime \(time)"
    case .value(.geopoint): "a geopoint"
    case .value(.file), .upload: "a file"
    case .value(.json), .value(.decimal), .tree: "json"
    case .value(.list), .list: "an array"
    case .object: "an object"
    case .record(let tree): "a record of \(tree.record.schema.name)"
    case .add: "an addition"
    case .edit: "an operation on a list"
    }
  }
}

extension NewFile {
  /// Appends the file as a JSON object with its content in base64.
  fileprivate func append(to output: inout [UInt8]) {
    output.append(contentsOf: "{\"name\":".utf8)
    JSONQuote.append(name.utf8.span, to: &output)
    output.append(contentsOf: ",\"type\":".utf8)
    JSONQuote.append(type.utf8.span, to: &output)
    output.append(contentsOf: ",\"data\":\"".utf8)
    Base64.append(content.span, to: &output)
    output.append(contentsOf: "\"}".utf8)
  }
}
