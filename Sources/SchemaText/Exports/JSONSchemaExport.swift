package import DataModel
import JSONText

/// Exports schemas as a JSON Schema (2020-12) that describes their records.
package enum JSONSchemaExport {
  /// Returns the text of the JSON Schema. It describes the records of all given schemas as `list`
  /// prints them. Definitions under `$defs` describe new records and changes.
  package static func text(_ schemas: [Schema]) -> String {
    var members: [JSONValue.Member] = [
      .init("$schema", .text(dialect)),
      .init("title", "Records"),
      .init(
        "description",
        """
        A record of one of the schemas, as datactl prints it. Among the definitions, NAME.new is \
        a new record for save, and NAME.change is a change to an existing record.
        """),
    ]
    if !schemas.isEmpty {
      let records = schemas.map { JSONValue.object([.init("$ref", .text("#/$defs/\($0.name)"))]) }
      members.append(.init("anyOf", .array(records)))
    }
    members.append(.init("$defs", .object(RecordJSONSchema.definitions(schemas))))
    return JSONValue.object(members).layout
  }

  static let dialect = "https://json-schema.org/draft/2020-12/schema"
}

extension JSONValue {
  /// The value as indented JSON with a newline at the end.
  var layout: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    var lines: [UInt8] = []
    JSONLayout.indent(bytes.span, to: &lines)
    return String(decoding: lines, as: UTF8.self) + "\n"
  }
}
