internal import JSONText

/// A Swift type whose values are stored directly in one field.
///
/// Values of other `Codable` types are encoded as JSON and stored in `json` fields.
protocol FieldValue {
  /// An arbitrary value of the type. It is used to find the properties of a model type when there
  /// is no record to decode.
  static var sample: Self? { get }
  /// Returns whether a field of the given type can store values of this Swift type.
  static func canRepresent(_ type: FieldType) -> Bool
  /// Creates a value of this type from `form`, the value of a field in a draft or record. Returns
  /// nil if `form` has a different type, such as a number for a `String`.
  init?(form: DraftValue.Form)
  /// The value as drafts and records contain it, such as `.text("tea")` for the string `tea`.
  var form: DraftValue.Form { get }
}

extension String: FieldValue {
  static var sample: String? { "" }

  static func canRepresent(_ type: FieldType) -> Bool {
    [.id, .text, .password, .json].contains(type) || type.relation?.isMany == false
  }

  init?(form: DraftValue.Form) {
    switch form {
    case .value(.text(let text)): self = text
    // A record in place of its id.
    case .record(let tree): self = tree.record.id
    case .value, .none, .upload, .list, .object, .tree, .add, .edit: return nil
    }
  }

  var form: DraftValue.Form { .value(.text(self)) }
}

extension Bool: FieldValue {
  static var sample: Bool? { false }

  static func canRepresent(_ type: FieldType) -> Bool { type == .boolean || type == .json }

  init?(form: DraftValue.Form) {
    guard case .value(.boolean(let boolean)) = form else { return nil }
    self = boolean
  }

  var form: DraftValue.Form { .value(.boolean(self)) }
}

extension FieldValue where Self: FixedWidthInteger {
  static var sample: Self? { 0 }

  static func canRepresent(_ type: FieldType) -> Bool { type == .integer || type == .json }

  init?(form: DraftValue.Form) {
    switch form {
    case .value(.integer(let integer)): self.init(exactly: integer)
    case .value(.number(let number)): self.init(exactly: number)
    case .tree(.number(let number)): self.init(number.text)
    case .value, .none, .upload, .list, .object, .tree, .record, .add, .edit:
      return nil
    }
  }

  /// The integer as drafts contain it. An integer that does not fit in `Int64` becomes a JSON
  /// number, which a `json` field can store.
  var form: DraftValue.Form {
    if let integer = Int64(exactly: self) { return .value(.integer(integer)) }
    return JSONNumber(text: "\(self)").map { .tree(.number($0)) } ?? .value(.null)
  }
}

extension Int: FieldValue {}
extension Int8: FieldValue {}
extension Int16: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}
extension UInt: FieldValue {}
extension UInt8: FieldValue {}
extension UInt16: FieldValue {}
extension UInt32: FieldValue {}
extension UInt64: FieldValue {}

extension FieldValue where Self: BinaryFloatingPoint {
  static var sample: Self? { 0 }

  static func canRepresent(_ type: FieldType) -> Bool { type == .number || type == .json }

  init?(form: DraftValue.Form) {
    switch form {
    case .value(.integer(let integer)): self.init(exactly: integer)
    case .value(.number(let number)): self.init(number)
    case .value, .none, .upload, .list, .object, .tree, .record, .add, .edit:
      return nil
    }
  }

  var form: DraftValue.Form { .value(.number(Double(self))) }
}

extension Double: FieldValue {}
extension Float: FieldValue {}

extension DecimalValue: FieldValue {
  static var sample: DecimalValue? { DecimalValue(0) }

  static func canRepresent(_ type: FieldType) -> Bool { type.digits != nil || type == .json }

  init?(form: DraftValue.Form) {
    switch form {
    case .value(.integer(let integer)): self.init(integer)
    case .value(.json(let text)), .value(.text(let text)): self.init(text)
    case .tree(.number(let number)): self.init(number.text)
    case .value(.number(let number)): self.init(NumberText.text(number))
    case .value, .none, .upload, .list, .object, .tree, .record, .add, .edit:
      return nil
    }
  }

  var form: DraftValue.Form { .value(.json(description)) }
}

extension CalendarDate: FieldValue {
  static var sample: CalendarDate? { .earliest }

  static func canRepresent(_ type: FieldType) -> Bool { type == .date || type == .json }

  init?(form: DraftValue.Form) {
    if case .value(.date(let date)) = form {
      self = date
      return
    }
    guard let text = String(form: form), let date = try? CalendarDate(parsing: text.utf8.span)
    else { return nil }
    self = date
  }

  var form: DraftValue.Form { .value(.date(self)) }
}

extension Timestamp: FieldValue {
  static var sample: Timestamp? { .earliest }

  static func canRepresent(_ type: FieldType) -> Bool { type == .datetime || type == .json }

  init?(form: DraftValue.Form) {
    if case .value(.datetime(let time)) = form {
      self = time
      return
    }
    guard let text = String(form: form), let time = try? Timestamp(parsing: text.utf8.span)
    else { return nil }
    self = time
  }

  var form: DraftValue.Form { .value(.datetime(self)) }
}

extension GeoPoint: FieldValue {
  static var sample: GeoPoint? { try? GeoPoint(latitude: 0, longitude: 0) }

  static func canRepresent(_ type: FieldType) -> Bool { type == .geopoint || type == .json }

  init?(form: DraftValue.Form) {
    if case .value(.geopoint(let point)) = form {
      self = point
      return
    }
    guard case .object(let members) = form, members.count == 2,
      let latitude = Double(form: members.value("lat")),
      let longitude = Double(form: members.value("lon")),
      let point = try? GeoPoint(latitude: latitude, longitude: longitude)
    else { return nil }
    self = point
  }

  var form: DraftValue.Form { .value(.geopoint(self)) }
}

extension FileReference: FieldValue {
  static var sample: FileReference? { FileReference(name: "", type: "", size: 0, sha256: "") }

  static func canRepresent(_ type: FieldType) -> Bool { type == .file || type == .json }

  init?(form: DraftValue.Form) {
    if case .value(.file(let file)) = form {
      self = file
      return
    }
    guard case .object(let members) = form, let name = String(form: members.value("name")),
      let type = String(form: members.value("type")),
      let size = Int64(form: members.value("size")),
      let sha256 = String(form: members.value("sha256"))
    else { return nil }
    self.init(name: name, type: type, size: size, sha256: sha256)
  }

  var form: DraftValue.Form { .value(.file(self)) }
}

extension RecordID: FieldValue {
  static var sample: RecordID? { RecordID("") }

  static func canRepresent(_ type: FieldType) -> Bool {
    String.canRepresent(type) && type != .password
  }

  init?(form: DraftValue.Form) {
    guard let text = String(form: form) else { return nil }
    self.init(text)
  }

  var form: DraftValue.Form { .value(.text(text)) }
}

extension Reference: FieldValue {
  static var sample: Reference? { Reference("") }

  static func canRepresent(_ type: FieldType) -> Bool {
    type == .json || type.relation.map { !$0.isMany } ?? false
  }

  init?(form: DraftValue.Form) {
    guard let text = String(form: form) else { return nil }
    self.init(text)
  }

  var form: DraftValue.Form { .value(.text(id)) }
}

extension ReferenceTo: FieldValue {
  static var sample: ReferenceTo? { ReferenceTo("") }

  static func canRepresent(_ type: FieldType) -> Bool {
    if type == .json { return true }
    guard let relation = type.relation, !relation.isMany else { return false }
    return (try? TypeNames.schema(of: Model.self)) == relation.target
  }

  init?(form: DraftValue.Form) {
    guard let id = RecordID(form: form) else { return nil }
    self.init(id)
    if case .record(let tree) = form { self.tree = tree }
  }

  var form: DraftValue.Form { id.form }
}

/// A reference that specifies the type of the referenced record.
protocol TypedReference {
  /// The model type of the referenced record.
  static var model: any Any.Type { get }
}

extension ReferenceTo: TypedReference {
  static var model: any Any.Type { Model.self }
}

extension [Draft.Entry] {
  /// Returns the value with the given name in a list of names and values. Returns null if the list
  /// does not contain the name.
  func value(_ name: String) -> DraftValue.Form {
    first { $0.name == name }?.value.form ?? .value(.null)
  }
}
