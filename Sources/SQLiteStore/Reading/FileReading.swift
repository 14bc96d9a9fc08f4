import DataModel
import DataStore

/// Reads the files of one field of many records with statements that are prepared once.
final class FieldFileReader {
  let schema: Schema
  let slot: Int
  private let firstPiece: Statement
  private let rest: Statement

  init(
    _ slot: Int, of schema: Schema, on connection: borrowing Connection
  ) throws(DataError) {
    self.schema = schema
    self.slot = slot
    let layout = TableLayout(schema)
    firstPiece = try Statement(
      layout.firstPiece(ofFile: slot, of: .parameter), on: connection)
    rest = try Statement(
      layout.piece(.parameter, ofFile: slot, of: .parameter), on: connection)
  }

  /// Returns the size and the first piece of a record's file, or nil if there is no file.
  func begin(_ id: String) throws(DataError) -> (size: Int64, first: [UInt8])? {
    defer { firstPiece.reset() }
    try firstPiece.bind(id, at: firstPiece.parameters[0])
    guard try firstPiece.step() else { return nil }
    guard let file = firstPiece.bytes(0).flatMap({ FileReference(canonicalText: $0.span) }) else {
      throw firstPiece.damage
    }
    return (file.size, firstPiece.bytes(1) ?? [])
  }

  /// Returns a later piece, or nil if it is missing.
  func piece(_ number: Int, of id: String) throws(DataError) -> [UInt8]? {
    defer { rest.reset() }
    try rest.bind(id, at: rest.parameters[0])
    try rest.bind(Int64(number), at: rest.parameters[1])
    return try rest.step() ? rest.bytes(0) : nil
  }

  /// The error of a file with missing pieces.
  var damage: DataError { rest.damage }
}
