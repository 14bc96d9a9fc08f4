package import DataModel
internal import DataStore
internal import JSONText
package import RecordText
internal import SchemaText

/// Where a response comes from. It parses the response, and reports what is invalid in it.
package struct ResponseSource: Sendable {
  /// The address of the server as error messages show it. Nil if the store of this process has
  /// answered.
  let address: String?

  /// The source of responses that the store of this process has answered.
  package static let ownStore = ResponseSource(address: nil)

  /// Returns the error for a response that does not conform to the API.
  package func invalidResponse(_ reason: String) -> DataError {
    // An answer of this process is valid, unless the schemas have changed since they were read.
    guard let address else { return .schemaChanged }
    return DataError(
      .storeUnreachable, "the response of \(address) is invalid: \(reason)",
      hint: "use the same version of datactl as the server")
  }

  /// Calls a closure that parses a response. If it fails, throws an error about the response,
  /// because its own error would seem to be about the input of the user.
  package func parse<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    do throws(DataError) {
      return try body()
    } catch {
      throw invalidResponse(error.problems[0].message)
    }
  }

  /// Parses the records in a response.
  package func rows(
    _ text: [UInt8], as format: RecordFormat = .ndjson, of schema: Schema
  ) throws(DataError) -> [Rows] {
    var reader = RecordReader(BytesInMemory(text), for: schema, TextForm(format), file: "")
    var rows: [Rows] = []
    while let next = try reader.nextRows(of: schema, from: self) { rows.append(next) }
    return rows
  }

  /// Parses a schema in a response.
  func schema(_ text: [UInt8], named name: String) throws(DataError) -> Schema {
    let schema = try parse { () throws(DataError) in
      try Schema(checking: SchemaFile.read(text))
    }
    guard schema.name == name else {
      throw invalidResponse("it contains the schema \(schema.name), not \(name)")
    }
    return schema
  }

  /// Returns the error of a request, with the address of the server if a part of the response is
  /// invalid.
  func error(_ error: DataError) -> DataError {
    error.code == .notAStore && address != nil
      ? invalidResponse(error.problems[0].message) : error
  }
}
