internal import DataStore
internal import JSONText
public import Maps

/// A model type whose values can be read from and written to the documents of another system.
///
/// ```swift
/// struct Episode: Codable, Sendable, Mapped {
///   static let map = DataMap.builtIn(named: "camel")!
///   var episodeID: RecordID
///   var title: String
/// }
/// ```
public protocol Mapped {
  /// The map that describes the documents.
  static var map: DataMap { get }
}

extension DataMap {
  /// Parses a map.
  ///
  /// - Parameter json: The JSON of the map in UTF-8, as in a map file.
  /// - Throws: A ``DataError`` that contains all problems in the map, each with its line.
  public init(parsing json: some Sequence<UInt8>) throws {
    try self.init(parsing: Array(json), file: nil)
  }
}

/// Methods that save the records in documents, and that create documents from records. The
/// documents are in JSON, XML or CSV, and a map describes their structure.
extension Client {
  /// Saves the records in a document in one transaction, and returns them as stored. If the map
  /// describes nested records, these are also saved.
  ///
  /// - Parameters:
  ///   - document: The document, in UTF-8.
  ///   - schema: The name of the schema.
  ///   - map: The map that describes the document.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records as stored, in the order of the document.
  /// - Throws: A ``DataError`` that contains the problems of all records, each with its line and
  ///   its path in the document. In that case, nothing is saved.
  @discardableResult
  public func save(
    document: some Sequence<UInt8>, in schema: String, map: DataMap,
    mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await save(
      Array(document), in: schema, by: map, SavePolicy(mode: mode.policy),
      listener: RecordCollector()
    ).records
  }

  /// Saves the records in a document. The map of a model type describes the document.
  ///
  /// - Parameters:
  ///   - document: The document, in UTF-8.
  ///   - type: The model type, which determines the map and the schema; see ``Recorded``.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records as stored, in the order of the document.
  /// - Throws: A ``DataError`` that contains the problems of all records. In that case, nothing is
  ///   saved.
  @discardableResult
  public func save<Model: Codable & Sendable & Mapped>(
    document: some Sequence<UInt8>, in type: Model.Type, mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await save(
      document: document, in: TypeNames.schema(of: type), map: type.map, mode: mode)
  }

  /// Returns the record with the given id as a document, or nil if it does not exist.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema.
  ///   - map: The map that describes the document.
  /// - Returns: The document, in UTF-8, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the map cannot be used with the schema, or if the document cannot
  ///   represent the record.
  public func document(
    of id: String, in schema: String, map: DataMap
  ) async throws -> [UInt8]? {
    let snapshot = try await store.snapshot()
    let key = try await snapshot.catalog().catalog.schema(schema).key.name
    let input = QueryInput(
      schema, where: "", matching: [key: .text(id)], parameters: [:])
    let query = try await check(input, from: snapshot)
    guard try await snapshot.count(query.query()) > 0 else { return nil }
    return try await document(ofOnlyRecordOf: query, by: map, from: snapshot)
  }

  /// Returns the record of a model type with the given id as a document, or nil if it does not
  /// exist.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - type: The model type, which determines the map and the schema; see ``Recorded``.
  /// - Returns: The document, in UTF-8, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the map cannot be used with the schema, or if the document cannot
  ///   represent the record.
  public func document<Model: Codable & Sendable & Mapped>(
    of id: String, in type: Model.Type
  ) async throws -> [UInt8]? {
    try await document(of: id, in: TypeNames.schema(of: type), map: type.map)
  }

  /// Returns a document with the records that match a condition.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - map: The map that describes the document.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///     Ties are sorted by id.
  ///   - limit: The maximum number of records.
  /// - Returns: The document, in UTF-8.
  /// - Throws: A ``DataError`` if an argument is invalid, if the map cannot be used with the
  ///   schema, or if the document cannot represent a record.
  public func document(
    listing schema: String, map: DataMap, where condition: String = "",
    matching: [String: DraftValue] = [:], parameters: [String: DraftValue] = [:],
    order: String = "", limit: Int? = nil
  ) async throws -> [UInt8] {
    let input = QueryInput(
      schema, where: condition, matching: matching, parameters: parameters, order: order,
      limit: limit)
    return try await document(of: input, by: map)
  }

  /// Returns a document with the records of a model type that match a condition.
  ///
  /// - Parameters:
  ///   - type: The model type, which determines the map and the schema; see ``Recorded``.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///   - limit: The maximum number of records.
  /// - Returns: The document, in UTF-8.
  /// - Throws: A ``DataError`` if an argument is invalid, if the map cannot be used with the
  ///   schema, or if the document cannot represent a record.
  public func document<Model: Codable & Sendable & Mapped>(
    listing type: Model.Type, where condition: String = "",
    matching: [String: DraftValue] = [:], parameters: [String: DraftValue] = [:],
    order: String = "", limit: Int? = nil
  ) async throws -> [UInt8] {
    try await document(
      listing: TypeNames.schema(of: type), map: type.map, where: condition, matching: matching,
      parameters: parameters, order: order, limit: limit)
  }
}
