package import DataModel

extension JSONNode {
  /// Reads the one value of a file, or says where it is no JSON.
  package static func read(
    _ bytes: [UInt8], file: String?, code: ErrorCode
  ) throws(DataError) -> JSONNode {
    do throws(ScanFault) {
      return try whole(bytes.span)
    } catch {
      throw DataError(error, in: bytes, file: file, code: code)
    }
  }

  /// Reads the values that stand one after the other in a file, or says where it is no JSON.
  package static func readAll(
    _ bytes: [UInt8], file: String?, code: ErrorCode
  ) throws(DataError) -> [JSONNode] {
    do throws(ScanFault) {
      return try all(bytes.span)
    } catch {
      throw DataError(error, in: bytes, file: file, code: code)
    }
  }
}

extension DataError {
  /// Says where a file is no JSON.
  fileprivate init(_ fault: ScanFault, in bytes: [UInt8], file: String?, code: ErrorCode) {
    let (line, column) = fault.position(in: bytes.span)
    self.init(Problem(code, fault.kind.message, file: file, line: line, column: column))
  }
}
