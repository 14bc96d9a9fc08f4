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
    case .null, .none: output.append(contentsOf: "null".utf8)
    case .text(let text): JSONQuote.append(text.utf8.span, to: &output)
    case .integer(let integer): NumberText.write(integer, to: &output)
    case .number(let number) where number.isFinite: NumberText.write(number, to: &output)
    case .number: output.append(contentsOf: Self.outOfRange.utf8)
    case .boolean(let boolean): output.append(contentsOf: "\(boolean)".utf8)
    case .date(let date): JSONQuote.append(date.description.utf8.span, to: &output)
    case .datetime(let time): JSONQuote.append(time.description.utf8.span, to: &output)
    case .point(let point):
      Self.append(
        [
          .init(name: "lat", value: .number(point.latitude)),
          .init(name: "lon", value: .number(point.longitude)),
        ], to: &output)
    case .file(let file): file.append(to: &output)
    case .upload(let file): file.append(to: &output)
    case .list(let values): Self.append(values, to: &output)
    case .object(let members): Self.append(members, to: &output)
    case .json(let text): output.append(contentsOf: text.utf8)
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
    case .null, .none: "null"
    case .text(let text): "text " + Excerpt.quoted(text)
    case .integer(let integer): "number \(integer)"
    case .number(let number): "number \(number)"
    case .boolean(let boolean): "\(boolean)"
    case .date(let date): "date \(date)"
    case .datetime(let time): "datetime \(time)"
    case .point: "a geopoint"
    case .file, .upload: "a file"
    case .list: "an array"
    case .object: "an object"
    case .json, .tree: "json"
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
