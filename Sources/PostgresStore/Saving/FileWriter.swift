import DataModel
import DataStore

/// Writes the contents of files piece by piece, so that memory use does not depend on their size.
struct FileWriter: FilePieceWriter {
  let schema: Schema
  let connection: Connection

  func remove(_ id: String, _ slot: Int) {
    connection.enqueue(
      """
      delete from \(table: "_file") where schema = \(.text(schema.name)) \
      and record = \(.text(id)) and field = \(.text(schema.name(of: slot)))
      """)
  }

  func add(_ piece: [UInt8], _ number: Int64, of id: String, _ slot: Int) throws(DataError) {
    try connection.run(
      """
      insert into \(table: "_file") (schema, record, field, piece, bytes) values \
      (\(.text(schema.name)), \(.text(id)), \(.text(schema.name(of: slot))), \
      \(.integer(number)), \(SQL.parameter))
      """, binding: [WireValue(.bytes, piece)])
  }
}
