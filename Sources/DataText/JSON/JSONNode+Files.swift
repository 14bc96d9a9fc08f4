package import DataModel

extension JSONNode {
  /// Reads the one value of a file, or says where it is no JSON.
  package static func read(
    _ bytes: [UInt8], file: String?, code: ErrorCode
  ) throws(DataError) -> JSONNode {
    do throws(ScanFault) {
      return try whole(bytes.span)
    } catch {
      let (line, column) = error.position(in: bytes.span)
      throw DataError(
        Problem(code, error.kind.message, file: file, line: line, column: column))
    }
  }
}
