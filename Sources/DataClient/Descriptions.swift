internal import ClientCore
internal import SchemaText

// The texts that `print` shows: JSON where the command prints JSON, and otherwise a few words. The
// command does not link this module, so its messages do not depend on it.

extension Schema: CustomStringConvertible {
  /// The text of the schema file.
  public var description: String {
    let text = SchemaFile.text(self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

extension Field: CustomStringConvertible {
  /// The name and the type of the field, such as `due: datetime`.
  public var description: String { "\(name): \(type)" }
}

extension FieldType: CustomStringConvertible {
  /// The name of the type, as in schema files.
  public var description: String { name }
}

extension Value: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { DraftValue(self).jsonText }
}

extension DraftValue: CustomStringConvertible {
  /// The value as JSON. Operations such as `.add(1)`, and files, have the form that `datactl save`
  /// accepts.
  public var description: String { jsonText }
}

extension FileReference: CustomStringConvertible {
  /// The metadata of the file as JSON.
  public var description: String { Value.file(self).description }
}

extension GeoPoint: CustomStringConvertible {
  /// The coordinates as JSON.
  public var description: String { Value.geopoint(self).description }
}

extension NewFile: CustomStringConvertible {
  /// The name, the media type and the size of the file.
  public var description: String { "\(name) (\(type), \(content.count) bytes)" }
}

extension FileContents: CustomStringConvertible {
  /// The metadata of the file as JSON.
  public var description: String { file.description }
}

extension RecordGroup: CustomStringConvertible {
  /// The keys, the count and the aggregates as a JSON object.
  public var description: String {
    let members = zip(names, values).map { Draft.Entry(name: $0, value: DraftValue($1)) }
    return DraftValue(form: .object(members)).jsonText
  }
}

extension Reference: CustomStringConvertible {
  /// The id of the referenced record.
  public var description: String { id }
}

extension ReferenceTo: CustomStringConvertible {
  /// The id of the referenced record.
  public var description: String { id.text }
}

extension Records: CustomStringConvertible {
  /// The name of the schema and the address of the store.
  public var description: String {
    "records of \((try? schemaName()) ?? "an unknown schema") in \(client.address)"
  }
}

extension Client: CustomStringConvertible {
  /// The address of the store, without secrets.
  public var description: String { "a client of \(address)" }
}
