extension Timestamp: FieldValue {
  static var sample: Timestamp? { .earliest }

  static func canRepresent(_ type: FieldType) -> Bool { type == .datetime || type == .json }

  init?(form: DraftValue.Form) {
    switch form {
    case .datetime(let time): self = time
    case .text(let text):
      guard let time = try? Timestamp(parsing: text.utf8.span) else { return nil }
      self = time
    case .null, .none, .integer, .number, .boolean, .point, .file, .upload, .list, .object, .json,
      .tree,
      .add, .edit:
      return nil
    }
  }

  var form: DraftValue.Form { .datetime(self) }
}

extension GeoPoint: FieldValue {
  static var sample: GeoPoint? { try? GeoPoint(latitude: 0, longitude: 0) }

  static func canRepresent(_ type: FieldType) -> Bool { type == .geopoint || type == .json }

  init?(form: DraftValue.Form) {
    if case .point(let point) = form {
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

  var form: DraftValue.Form { .point(self) }
}

extension FileReference: FieldValue {
  static var sample: FileReference? { FileReference(name: "", type: "", size: 0, sha256: "") }

  static func canRepresent(_ type: FieldType) -> Bool { type == .file || type == .json }

  init?(form: DraftValue.Form) {
    if case .file(let file) = form {
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

  var form: DraftValue.Form { .file(self) }
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

  var form: DraftValue.Form { .text(text) }
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

  var form: DraftValue.Form { .text(id) }
}

extension [Draft.Entry] {
  /// Returns the member with the given name, or null.
  func value(_ name: String) -> DraftValue.Form {
    first { $0.name == name }?.value.form ?? .null
  }
}
