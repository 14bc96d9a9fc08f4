package import DataModel

/// Encodes schemas for storage, and decodes them, in the format of schema files. It consists of
/// closures, because this module does not import the module that implements the format.
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

  /// Decodes the stored definition of a schema. If the definition is invalid, throws an error that
  /// names the store.
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
