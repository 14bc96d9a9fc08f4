internal import ClientCore
internal import DataStore

/// The records of a schema, as values of one type. Its methods read and change them.
///
/// ```swift
/// let todos = client.records(of: Todo.self)
/// try await todos.save(Todo(todoID: .new(), title: "Buy tea"))
/// for try await todo in todos.list(where: "done = false", order: "-due") { print(todo.title) }
/// ```
///
/// If the element type is ``Record``, the records have all fields of the schema. If it is a model
/// type, its properties are validated against the fields when it is first used.
///
/// The methods have the same results and the same errors whether the store is a file, a database,
/// or on a server.
public struct Records<Element: Sendable>: Sendable {
  let client: Client
  /// The model type, or nil for plain records.
  let type: (any (Codable & Sendable).Type)?
  /// The name of the schema, or the error that no name can be derived from the model type.
  private let name: Result<String, DataError>
  let decode: @Sendable (RecordTree) throws -> Element

  fileprivate init(
    _ client: Client, _ name: Result<String, DataError>,
    _ type: (any (Codable & Sendable).Type)? = nil,
    decode: @escaping @Sendable (RecordTree) throws -> Element
  ) {
    self.client = client
    self.type = type
    self.name = name
    self.decode = decode
  }

  /// The name of the schema.
  ///
  /// - Throws: A ``DataError`` if no name can be derived from the model type.
  public var schema: String {
    get throws { try schemaName() }
  }

  func schemaName() throws(DataError) -> String { try name.get() }

  /// Returns a query for these records, without conditions.
  func query(
    _ condition: String = "", _ matching: [String: DraftValue] = [:],
    _ parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil
  ) throws(DataError) -> QueryInput {
    QueryInput(
      try schemaName(), where: condition, matching: matching.mapValues(\.asJSON),
      parameters: parameters.mapValues(\.asJSON), order: order, limit: limit)
  }

  /// Returns the schema of the records in a catalog and, if they are values of a model type with
  /// nested types, the schemas of these. Throws an error if the type does not match its schema.
  func model(in stored: StoredCatalog) throws(DataError) -> CheckedModel {
    if let type { return try client.checkedModel(of: type, in: stored) }
    return CheckedModel(ofRecordsOf: try stored.catalog.schema(try schemaName()))
  }
}

extension Client {
  /// Returns the records of a schema.
  ///
  /// ```swift
  /// let todos = client.records("todo")
  /// try await todos.save(["todo_id": "tea", "title": "Buy tea"])
  /// ```
  ///
  /// - Parameter schema: The name of the schema. The methods throw a ``DataError`` if it does not
  ///   exist.
  /// - Returns: The records. No request is made.
  public func records(_ schema: String) -> Records<Record> {
    Records(self, .success(schema)) { $0.record }
  }

  /// Returns the records of a schema as values of a model type.
  ///
  /// - Parameter type: The model type, which determines the schema; see ``Recorded``.
  /// - Returns: The records. No request is made. The methods throw a ``DataError`` if the type does
  ///   not match its schema.
  public func records<Model: Codable & Sendable>(of type: Model.Type) -> Records<Model> {
    let name: Result<String, DataError>
    do throws(DataError) {
      name = .success(try TypeNames.schema(of: type))
    } catch {
      name = .failure(error)
    }
    return Records(self, name, type) { try $0.decode(type) }
  }
}

extension CheckedModel {
  /// Creates the model of plain records, which have all fields of a schema.
  init(ofRecordsOf schema: Schema) {
    self.init()
    types = [NestedType(ObjectIdentifier(Record.self), of: schema)]
  }
}

extension DraftValue {
  /// The value as JSON. A value that is nested too deep becomes `outOfRange`, which every
  /// query rejects.
  fileprivate var asJSON: JSONValue {
    if form.isNull { return .null }
    var bytes: [UInt8] = []
    append(to: &bytes)
    if let value = try? JSONValue(parsing: bytes.span) { return value }
    return JSONNumber(text: Self.outOfRange).map(JSONValue.number) ?? .null
  }
}
