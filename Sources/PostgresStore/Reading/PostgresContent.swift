import DataModel
import DataStore
import Synchronization

/// The bytes of a file, piece by piece, out of a snapshot of its own.
final class PostgresContent: ContentStream {
  let reading: ReadingToken
  let schema: String
  let id: String
  let field: String
  private let piece = Mutex(0)

  init(reading: ReadingToken, schema: String, id: String, field: String) {
    self.reading = reading
    self.schema = schema
    self.id = id
    self.field = field
  }

  func next() async throws(DataError) -> [UInt8]? {
    let number = piece.withLock { piece in
      defer { piece += 1 }
      return piece
    }
    return try await reading.store.piece(number, of: self)
  }
}
