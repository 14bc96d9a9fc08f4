public import JSONText

extension JSONValue {
  /// Parses JSON text that contains exactly one value. The value must be allowed in a `json` field.
  ///
  /// - Parameter text: The JSON text.
  /// - Throws: A `DataError` with code `syntax` and the line and column of the error if the text is
  ///   not JSON, contains a NUL or a duplicate key, or is nested too deeply.
  public init(parsing text: String) throws(DataError) {
    try self.init(parsing: text.utf8.span)
  }

  /// Parses UTF-8 text that contains exactly one JSON value.
  ///
  /// - Throws: An error with code `syntax` and the line and column if the text is not JSON,
  ///   contains a NUL or a duplicate key, or is nested too deeply.
  package init(parsing text: Span<UInt8>) throws(DataError) {
    do throws(ScanError) {
      var scanner = JSONScanner()
      if let violation = try scanner.skipValue(text).violation { throw violation }
      self.init(try JSONNode.parse(text), of: text)
    } catch {
      let (line, column) = error.lineAndColumn(in: text)
      throw DataError(Problem(.syntax, error.kind.message, line: line, column: column))
    }
  }
}

extension JSONNode {
  /// Parses the contents of a file, which must be exactly one JSON value.
  ///
  /// - Throws: An error with the code `code` and the line and column of the syntax error.
  package static func read(
    _ bytes: [UInt8], file: String?, code: ErrorCode
  ) throws(DataError) -> JSONNode {
    do throws(ScanError) {
      return try parse(bytes.span)
    } catch {
      throw DataError(error, in: bytes, file: file, code: code)
    }
  }

  /// Parses the contents of a file, which must be one or more JSON values in sequence.
  ///
  /// - Throws: An error with the code `code` and the line and column of the syntax error.
  package static func readAll(
    _ bytes: [UInt8], file: String?, code: ErrorCode
  ) throws(DataError) -> [JSONNode] {
    do throws(ScanError) {
      return try parseAll(bytes.span)
    } catch {
      throw DataError(error, in: bytes, file: file, code: code)
    }
  }
}

extension DataError {
  /// Creates an error from a scan error, with the file, the line and the column.
  fileprivate init(_ error: ScanError, in bytes: [UInt8], file: String?, code: ErrorCode) {
    let (line, column) = error.lineAndColumn(in: bytes.span)
    self.init(Problem(code, error.kind.message, file: file, line: line, column: column))
  }
}
