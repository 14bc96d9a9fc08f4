package import DataModel

/// Turns schemas into the text that a store keeps of them, and back.
///
/// The text is that of a schema file; how it is written is known in another room.
package struct SchemaCoding: Sendable {
  package var encode: @Sendable (Schema) -> [UInt8]
  package var decode: @Sendable ([UInt8]) throws(DataError) -> Schema

  package init(
    encode: @escaping @Sendable (Schema) -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws(DataError) -> Schema
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Reads the text that a store has kept of a schema.
  package func decode(
    _ text: [UInt8], of name: String, in store: String
  ) throws(DataError) -> Schema {
    do throws(DataError) {
      return try decode(text)
    } catch {
      throw DataError(
        .storeDamaged,
        """
        \(store): the stored definition of schema \(name) is invalid: \(error.problems[0].message)
        """)
    }
  }
}
