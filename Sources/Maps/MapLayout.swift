package import DataModel
package import Inference
import JSONText
package import RecordText

/// A map that was checked against a schema, or that is used to infer one.
package struct MapLayout: Sendable {
  package let map: DataMap
  let record: RecordLayout

  /// Checks a map against the schemas of a store.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - schema: The schema of the records.
  ///   - catalog: The schemas of related records.
  /// - Throws: An error that contains all problems of the map, each with its line.
  package init(_ map: DataMap, for schema: Schema, in catalog: Catalog) throws(DataError) {
    if let name = map.schemaName, name != schema.name {
      throw DataError(
        Problem(
          .invalidConfiguration, "the map is for the schema \(name), not for \(schema.name)",
          file: map.file))
    }
    try self.init(
      map, RecordLayoutBuilder.Target(schema: schema, catalog: catalog, name: schema.name))
  }

  /// Checks a map without a schema, to infer the schema of the records.
  ///
  /// - Parameter schema: The name of the schema.
  package init(_ map: DataMap, inferring schema: String) throws(DataError) {
    try self.init(
      map, RecordLayoutBuilder.Target(schema: nil, catalog: Catalog(), name: schema))
  }

  private init(_ map: DataMap, _ target: RecordLayoutBuilder.Target) throws(DataError) {
    self.map = map
    var builder = RecordLayoutBuilder(
      map, map.fields, target, isNested: false, isEntry: map.hasEntries)
    record = builder.layout()
    if let error = DataError(builder.problems) { throw error }
  }

  /// The name of the schema of the records. If the schema is inferred, it gets this name.
  package var schemaName: String { record.schemaName }

  /// The names in the path to the records, such as `["rss", "channel", "item"]`.
  package var recordNames: [String] { map.records.names }

  /// The paths, from the record, of the elements whose content is read as XML.
  package var markupPaths: [[String]] { record.markupPaths }

  /// All names of elements, attributes, members and columns in the paths of the map.
  package var names: [String] {
    map.records.names + map.frame.flatMap(\.path.names) + record.allNames
  }

  /// The constants that are written outside the records, such as the version of a feed, as one
  /// object.
  package var frame: ForeignValue {
    var frame = ForeignValue(.object([]))
    for (path, value) in map.frame { frame.insert(ForeignValue(value), at: path.names[...]) }
    return frame
  }

  /// Whether the map assigns records to a relation, so that documents contain nested records.
  package var isDeep: Bool { record.bindings.contains { $0.nested != nil } }

  /// The line of the map file for a warning that the map has no primary key. Nil if the map has a
  /// primary key. Without a primary key, records get new ids each time they are read.
  package var lineWithoutKey: Int? { record.key == nil ? map.fields.line : nil }

  /// Whether a field contains the content of a file as base64.
  package var includesFiles: Bool { record.bindings.contains { $0.converter.form == .base64 } }

  /// The paths of the relations that contain nested records, such as `steps.owner`.
  package var relations: [[String]] { record.relations }

  /// The nested records of the trees that the map converts documents to.
  package var tree: TreeLayout { record.tree }

  /// Determines which nested objects become separate schemas when schemas are inferred.
  package var splitting: SchemaSplitting { record.splitting }
}

extension DataMap {
  /// Whether the records are the values of an object. If not, they are the elements of an array.
  var hasEntries: Bool { records.steps.last == .entries }

  /// Whether the path to the records leads through an object, so that the document must be an
  /// object.
  var hasObjectPath: Bool { hasEntries || !records.names.isEmpty }

  /// Whether a document has a list of records even if it has only one record.
  package var alwaysHasList: Bool { isRootList || !frame.isEmpty }

  /// The error message for a JSON document that does not contain the path to the records.
  var missingRecords: String {
    "no \(records.text(.json)) in the input, where the map expects the records"
  }

  /// Whether the map specifies the path to the records.
  package var hasPath: Bool { isRootList || !records.steps.isEmpty }
}
