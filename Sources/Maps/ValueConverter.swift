import DataModel
import JSONText
import RecordText

/// Converts the values of one field between records and documents.
struct ValueConverter: Sendable {
  /// A value that cannot be converted.
  struct ConversionError: Error {
    let message: String
  }

  /// The name of the field. It is also the file name of values that are read from base64.
  let field: String
  let slot: Int?
  /// The type of the field, or nil if the schema is not known.
  let type: FieldType?
  let form: ValueForm?
  /// The format of the document. In XML and CSV, all scalars are text.
  let format: DataMap.Format
  /// The notation in which schema inference recognizes geographic points. Nil if the type of the
  /// field is known, or if the map does not represent points as objects.
  var inferredPlace: ValueForm?

  private var hasOnlyText: Bool { format != .json }
}

extension ValueConverter {
  /// Converts the value of the field in a document to JSON.
  func read(_ value: ForeignValue) throws(ConversionError) -> [UInt8] {
    var output: [UInt8] = []
    try append(value, to: &output)
    return output
  }

  /// Converts the value of the field in a document to JSON, and appends the JSON to the output.
  /// After an error, the output contains a part of the JSON.
  func append(_ value: ForeignValue, to output: inout [UInt8]) throws(ConversionError) {
    if value.isNull { return output.append(contentsOf: "null".utf8) }
    if let place = place(in: value) {
      output += place
      return
    }
    let value = format == .csv && type?.isList == true ? value.parsedList : value
    guard case .array(let elements) = value.content, isElementwise else {
      return try appendScalar(value, to: &output)
    }
    output.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      try appendScalar(element, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Converts a geographic point in the notation `inferredPlace` to JSON. Returns nil for any other
  /// value.
  func place(in value: ForeignValue) -> [UInt8]? {
    guard let inferredPlace, type == nil, form == nil, case .object = value.content else {
      return nil
    }
    let converter = ValueConverter(
      field: field, slot: nil, type: .geopoint, form: inferredPlace, format: format)
    return try? converter.read(value)
  }

  /// Whether the notation applies to each element of a list instead of to the list.
  private var isElementwise: Bool {
    switch form {
    case .time, .lenient, .xmlText, nil: true
    case .pairText, .pairList, .pairObject, .geoJSON, .base64, .jsonText: false
    }
  }

  /// The type of the field, or of its elements if it is an array.
  private var scalarType: FieldType? {
    guard case .array(let element) = type else { return type }
    return element.fieldType
  }

  /// Appends a value as JSON. If the notation applies to the elements of a list, the value is one
  /// element.
  private func appendScalar(
    _ value: ForeignValue, to output: inout [UInt8]
  ) throws(ConversionError) {
    guard let form else {
      if hasOnlyText { return try appendText(value, to: &output) }
      output += value.json
      return
    }
    switch (form, value.content) {
    case (.lenient, .null), (.lenient, .boolean), (.lenient, .number), (.lenient, .text),
      (.lenient, .fileContent), (.xmlText, _):
      try appendText(value, to: &output)
    case (_, .text("")) where hasOnlyText: output.append(contentsOf: "null".utf8)
    case (.lenient, _), (.time, _), (.pairText, _), (.pairList, _), (.pairObject, _),
      (.geoJSON, _), (.base64, _), (.jsonText, _):
      output += try scalar(value, form)
    }
  }

  /// Converts a value that is in the given notation to JSON.
  private func scalar(
    _ value: ForeignValue, _ form: ValueForm
  ) throws(ConversionError) -> [UInt8] {
    var error: ConversionError {
      ConversionError(message: "expected \(form.expectation), found \(value.display)")
    }
    if case .time(let timeForm) = form, let weekday = timeForm.correctWeekday(of: value) {
      throw ConversionError(message: "\(error.message), but the weekday of this date is \(weekday)")
    }
    switch form {
    case .time(let timeForm) where scalarType == .date:
      guard let date = timeForm.date(value) else {
        guard timeForm.time(value) != nil else { throw error }
        let reason =
          timeForm == .iso8601
          ? "which also contains a time" : "which is not the start of a day in UTC"
        throw ConversionError(message: "\(error.message), \(reason)")
      }
      return ForeignValue(.text("\(date)")).json
    case .time(let timeForm):
      guard let time = timeForm.time(value) else { throw error }
      return ForeignValue(.text("\(time)")).json
    case .pairText(let isLatitudeFirst):
      guard case .text(let text) = value.content else { throw error }
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { String($0).withoutOuterSpace }
      return try place(words, isLatitudeFirst: isLatitudeFirst, else: error)
    case .pairList(let isLatitudeFirst):
      guard case .array(let elements) = value.content else { throw error }
      return try place(
        elements.compactMap(\.numberText), isLatitudeFirst: isLatitudeFirst, else: error)
    case .pairObject(let latitude, let longitude):
      guard case .object(let members) = value.content,
        members.allSatisfy({ $0.name == latitude || $0.name == longitude || $0.name == "__type" })
      else { throw error }
      let words = [latitude, longitude].compactMap { name in
        members.first { $0.name == name }?.value.numberText
      }
      return try place(words, isLatitudeFirst: true, else: error)
    case .geoJSON:
      guard case .object(let members) = value.content else { throw error }
      let expected = "expected \(form.expectation), found "
      if case .text(let type)? = value["type"]?.content, type != "Point" {
        throw ConversionError(message: expected + "the type \(Excerpt.quoted(type))")
      }
      if let other = members.first(where: { !Self.pointKeys.contains($0.name) }) {
        throw ConversionError(message: expected + "the key \(Excerpt.quoted(other.name))")
      }
      guard case .text? = value["type"]?.content,
        case .array(let elements)? = value["coordinates"]?.content
      else { throw error }
      if elements.count != 2 {
        throw ConversionError(
          message: expected + "\(elements.count) coordinate\(elements.count == 1 ? "" : "s")")
      }
      return try place(elements.compactMap(\.numberText), isLatitudeFirst: false, else: error)
    case .lenient, .xmlText: throw error
    case .base64:
      guard case .text(let text) = value.content else { throw error }
      let name = ForeignValue(.text(field)).json
      let data = ForeignValue(.text(text.filter { !$0.isWhitespace })).json
      return Array("{\"name\":".utf8) + name + Array(",\"data\":".utf8) + data
        + [UInt8(ascii: "}")]
    case .jsonText:
      guard case .text(let text) = value.content else { throw error }
      do throws(ScalarText.JSONError) {
        return try ScalarText.json(text.utf8.span)
      } catch let jsonError {
        throw ConversionError(message: "expected JSON as text: \(jsonError.message)")
      }
    }
  }

  /// The keys of a GeoJSON point. The last two occur in exports of Backendless.
  private static let pointKeys = ["type", "coordinates", "srsId", "___class"]

  private func place(
    _ words: [String], isLatitudeFirst: Bool, else error: @autoclosure () -> ConversionError
  ) throws(ConversionError) -> [UInt8] {
    guard words.count == 2, words.allSatisfy({ NumberText.isJSONNumber($0.utf8.span) }) else {
      throw error()
    }
    let (latitude, longitude) = isLatitudeFirst ? (words[0], words[1]) : (words[1], words[0])
    return Array("{\"lat\":\(latitude),\"lon\":\(longitude)}".utf8)
  }

  /// Appends a scalar as JSON. A text that represents a value of the field's type is converted: the
  /// text `12` becomes a number in a number field. Other texts are appended as strings.
  private func appendText(
    _ value: ForeignValue, to output: inout [UInt8]
  ) throws(ConversionError) {
    let word: String
    switch value.content {
    case .text(let text), .markup(let text): word = text
    case .number(let number): word = number
    case .boolean(let boolean): word = boolean ? "true" : "false"
    case .null: return output.append(contentsOf: "null".utf8)
    case .array, .object, .fileContent:
      output += value.json
      return
    }
    let trimmed = word.withoutOuterSpace
    guard let type = scalarType else {
      let isBare = word == "true" || word == "false" || ScalarText.isPlainNumber(word.utf8.span)
      if isBare, form == .lenient || hasOnlyText {
        output.append(contentsOf: word.utf8)
      } else {
        JSONQuote.append(word.utf8.span, to: &output)
      }
      return
    }
    let kind = type.descriptor.kind
    switch kind {
    case .scalar, .geopoint, .file:
      if trimmed.isEmpty { return output.append(contentsOf: "null".utf8) }
    case .key, .text, .json, .password, .reference, .references, .array, .system: break
    }
    switch kind {
    case .scalar:
      if type.isNumeric, NumberText.isJSONNumber(trimmed.utf8.span) {
        output.append(contentsOf: trimmed.utf8)
      } else if type == .boolean, ["true", "1"].contains(trimmed) {
        output.append(contentsOf: "true".utf8)
      } else if type == .boolean, ["false", "0"].contains(trimmed) {
        output.append(contentsOf: "false".utf8)
      } else {
        JSONQuote.append(
          (type.descriptor.textForm == .quoted ? trimmed : word).utf8.span, to: &output)
      }
    case .geopoint, .file:
      do throws(ScalarText.JSONError) {
        output += try ScalarText.json(word.utf8.span)
      } catch {
        JSONQuote.append(word.utf8.span, to: &output)
      }
    case .json where format == .csv:
      do throws(ScalarText.JSONError) {
        output += try ScalarText.json(word.utf8.span)
      } catch {
        throw ConversionError(message: "expected JSON: \(error.message)")
      }
    case .reference where word.isEmpty: output.append(contentsOf: "null".utf8)
    case .key, .text, .json, .password, .reference, .references, .array, .system:
      JSONQuote.append(word.utf8.span, to: &output)
    }
  }
}

extension ValueConverter {
  /// Converts a value of a record, which must not be null, to a value of a document.
  func write(_ value: ForeignValue) throws(ConversionError) -> ForeignValue {
    if case .array(let elements) = value.content, isElementwise, type?.isList == true {
      var values: [ForeignValue] = []
      for element in elements { values.append(try written(element)) }
      let list = ForeignValue(.array(values))
      return format == .csv ? list.jsonText : list
    }
    return try written(value)
  }

  private func written(_ value: ForeignValue) throws(ConversionError) -> ForeignValue {
    switch form {
    case nil, .lenient?: return try plain(value)
    case .time(let timeForm)? where scalarType == .date:
      guard case .text(let text) = value.content,
        let date = try? CalendarDate(parsing: text.utf8.span), let written = timeForm.value(date)
      else { return try plain(value) }
      return written
    case .time(let timeForm)?:
      guard case .text(let text) = value.content,
        let time = try? Timestamp(parsing: text.utf8.span)
      else { return try plain(value) }
      guard let written = timeForm.value(time) else {
        throw ConversionError(message: "\(text) is too precise for the notation of the map")
      }
      return written
    case .pairText(let isLatitudeFirst)?:
      let pair = pair(value, isLatitudeFirst: isLatitudeFirst)
      return ForeignValue(.text(pair.joined(separator: ",")))
    case .pairList(let isLatitudeFirst)?:
      let pair = pair(value, isLatitudeFirst: isLatitudeFirst)
      return ForeignValue(.array(pair.map { ForeignValue(.number($0)) }))
    case .pairObject(let latitude, let longitude)?:
      let members = zip([latitude, longitude], pair(value, isLatitudeFirst: true))
      return ForeignValue(
        .object(members.map { ForeignValue.Member($0, ForeignValue(.number($1))) }))
    case .geoJSON?:
      let pair = pair(value, isLatitudeFirst: false).map { ForeignValue(.number($0)) }
      return ForeignValue(
        .object([
          ForeignValue.Member("type", ForeignValue(.text("Point"))),
          ForeignValue.Member("coordinates", ForeignValue(.array(pair))),
        ]))
    case .jsonText?: return value.jsonText
    case .xmlText?: return value.scalarText.map { ForeignValue(.markup($0)) } ?? value
    case .base64?:
      guard let slot, case .text(let name)? = value["name"]?.content, name == field,
        case .text("application/octet-stream")? = value["type"]?.content
      else {
        throw ConversionError(
          message: "the name and the type of the file cannot be written as base64")
      }
      return ForeignValue(.fileContent(slot: slot))
    }
  }

  private func pair(_ value: ForeignValue, isLatitudeFirst: Bool) -> [String] {
    let numbers = [value["lat"], value["lon"]].map { $0?.numberText ?? "0" }
    return isLatitudeFirst ? numbers : numbers.reversed()
  }

  /// Converts the value of a field for which the map specifies no notation. In XML and CSV,
  /// geopoints and files are written as JSON text.
  private func plain(_ value: ForeignValue) throws(ConversionError) -> ForeignValue {
    guard hasOnlyText else { return value }
    if type == .json {
      guard format == .xml else { return value.jsonText }
      guard value.isElementValue else {
        throw ConversionError(
          message: "the JSON cannot be written as elements: add \"as\": \"json_text\" to the map")
      }
      return value
    }
    switch value.content {
    case .text, .number, .boolean, .null, .fileContent, .markup: return value
    case .array, .object: return value.jsonText
    }
  }
}

extension ForeignValue {
  /// The array, if this value is a text that contains an array as JSON. If not, the value itself.
  fileprivate var parsedList: ForeignValue {
    var scanner = JSONScanner()
    guard case .text(let text) = content, text.utf8.first == UInt8(ascii: "["),
      var list = try? scanner.foreignValue(text.utf8.span),
      scanner.skipWhitespace(text.utf8.span) == nil
    else { return self }
    list.line = line
    return list
  }

  /// A text whose content is this value as JSON.
  fileprivate var jsonText: ForeignValue { ForeignValue(.text(String(decoding: json.span))) }

  /// The text of a number, or a text value without leading and trailing white space. Does not check
  /// whether the text is a number. Nil for other values.
  fileprivate var numberText: String? {
    switch content {
    case .number(let number): number
    case .text(let text): text.withoutOuterSpace
    case .null, .boolean, .array, .object, .fileContent, .markup: nil
    }
  }

  /// Whether the names of all members, including nested members, are allowed in XML.
  var hasOnlyXMLNames: Bool {
    switch content {
    case .null, .boolean, .number, .text, .fileContent, .markup: true
    case .array(let elements): elements.allSatisfy(\.hasOnlyXMLNames)
    case .object(let members):
      members.allSatisfy { ($0.name == MapPath.text || $0.hasXMLName) && $0.value.hasOnlyXMLNames }
    }
  }

  /// Whether the value remains the same if it is written as XML elements and read again.
  var isElementValue: Bool {
    switch content {
    case .text(let text): text.hasUsualEscapes(in: escapedText)
    case .null, .boolean, .number, .array, .fileContent, .markup: false
    case .object(let members):
      members.contains { $0.name != MapPath.text }
        && members.allSatisfy { $0.name.hasUsualEscapes(in: $0.escapedName) }
        && !(members.contains { $0.name == MapPath.text } && members.contains(where: \.isElement))
        && members.allSatisfy { member in
          switch member.value.content {
          case .array(let elements):
            elements.count > 1 && member.isElement && elements.allSatisfy(\.isElementValue)
          case .text(let text):
            member.value.isElementValue
              && (member.isElement || member.name.hasPrefix("@") && member.hasXMLName
                || member.name == MapPath.text && !text.withoutOuterSpace.isEmpty)
          case .object: member.isElement && member.value.isElementValue
          case .null, .boolean, .number, .fileContent, .markup: false
          }
        }
    }
  }
}

extension String {
  /// Returns whether `escaped`, which is this text as a JSON string, contains only the escapes that
  /// JSON requires. Other escapes would be lost in XML. Returns true if `escaped` is nil.
  fileprivate func hasUsualEscapes(in escaped: String?) -> Bool {
    guard let escaped else { return true }
    var usual: [UInt8] = []
    JSONQuote.append(utf8.span, to: &usual)
    return escaped.utf8.elementsEqual(usual)
  }
}

extension ForeignValue.Member {
  fileprivate var isElement: Bool { !name.hasPrefix("@") && name != MapPath.text && hasXMLName }

  fileprivate var hasXMLName: Bool { XMLName(name) != nil }
}
