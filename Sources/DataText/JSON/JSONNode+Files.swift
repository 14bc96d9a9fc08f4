package import DataModel

extension JSONNode {
  /// Parses a file that contains one JSON value.
  ///
  /// - Throws: A problem with `code` at the line and column of the syntax error.
  package static func read(
    _ bytes: [UInt8], file: String?, code: ErrorCode
  ) throws(DataError) -> JSONNode {
    do throws(ScanError) {
      return try parse(bytes.span)
    } catch {
      throw DataError(error, in: bytes, file: file, code: code)
    }
  }

  /// Parses a file that contains one or more JSON values in sequence.
  ///
  /// - Throws: A problem with `code` at the line and column of the syntax error.
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
  /// Reports a scan error with its file, line and column.
  fileprivate init(_ error: ScanError, in bytes: [UInt8], file: String?, code: ErrorCode) {
    let (line, column) = error.lineAndColumn(in: bytes.span)
    self.init(Problem(code, error.kind.message, file: file, line: line, column: column))
  }
}
