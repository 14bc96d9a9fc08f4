internal import ClientCore
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
extension Records {
  /// Saves the records in a document in one transaction, and returns them as stored. If the map
  /// describes nested records, these are also saved.
  ///
  /// ```swift
  /// try await episodes.save(document: text.utf8, map: map)
  /// ```
  ///
  /// - Parameters:
  ///   - document: The document, in UTF-8.
  ///   - map: The map that describes the document.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records as stored, in the order of the document.
  /// - Throws: A ``DataError`` that contains the problems of all records, each with its line and
  ///   its path in the document. In that case, nothing is saved.
  @discardableResult
  public func save(
    document: some Sequence<UInt8>, map: DataMap, mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    switch client.executor {
    case .store:
      return try await client.save(
        Array(document), in: schemaName(), by: map, SavePolicy(mode: mode.policy),
        listener: RecordCollector()
      ).records
    case .server(let server):
      let schema = try await model(from: server).schema
      return try await client.save(
        document: Array(document), of: schema, by: map, mode: mode.policy, in: server
      ).records(of: schema)
    }
  }

  /// Returns the record with the given id as a document, or nil if it does not exist.
  ///
  /// ```swift
  /// let document = try await episodes.document(of: "e1", map: map)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - map: The map that describes the document.
  /// - Returns: The document, in UTF-8, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the map cannot be used with the schema, or if the document cannot
  ///   represent the record.
  public func document(of id: String, map: DataMap) async throws -> [UInt8]? {
    switch client.executor {
    case .store(let store):
      let snapshot = try await store.snapshot()
      let key = try await snapshot.catalog().catalog.schema(schemaName()).key.name
      let query = try await client.check(query("", [key: .text(id)]), from: snapshot)
      guard try await snapshot.count(query.query()) > 0 else { return nil }
      return try await client.document(ofOnlyRecordOf: query, by: map, from: snapshot)
    case .server(let server):
      do throws(DataError) {
        return try await client.document(ofOnly: id, in: schemaName(), by: map, from: server)
      } catch {
        guard error.isOfMissingRecords else { throw error }
        return nil
      }
    }
  }

  /// Returns a document with the records that match a condition.
  ///
  /// - Parameters:
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
    map: DataMap, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil
  ) async throws -> [UInt8] {
    let input = try query(condition, matching, parameters, order: order, limit: limit)
    return switch client.executor {
    case .store: try await client.document(of: input, by: map)
    case .server(let server): try await client.document(of: input, by: map, from: server)
    }
  }
}

/// The same methods with the map that the model type declares.
extension Records where Element: Mapped {
  /// Saves the records in a document, which the map of the model type describes.
  ///
  /// - Parameters:
  ///   - document: The document, in UTF-8.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records as stored, in the order of the document.
  /// - Throws: A ``DataError`` that contains the problems of all records. In that case, nothing is
  ///   saved.
  @discardableResult
  public func save(
    document: some Sequence<UInt8>, mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await save(document: document, map: Element.map, mode: mode)
  }

  /// Returns the record with the given id as a document, or nil if it does not exist.
  ///
  /// - Parameter id: The id of the record.
  /// - Returns: The document, in UTF-8, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the map cannot be used with the schema, or if the document cannot
  ///   represent the record.
  public func document(of id: String) async throws -> [UInt8]? {
    try await document(of: id, map: Element.map)
  }

  /// Returns a document with the records that match a condition.
  ///
  /// - Parameters:
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///   - limit: The maximum number of records.
  /// - Returns: The document, in UTF-8.
  /// - Throws: A ``DataError`` if an argument is invalid, if the map cannot be used with the
  ///   schema, or if the document cannot represent a record.
  public func document(
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil
  ) async throws -> [UInt8] {
    try await document(
      map: Element.map, where: condition, matching: matching, parameters: parameters, order: order,
      limit: limit)
  }
}
