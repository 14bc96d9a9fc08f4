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
}
