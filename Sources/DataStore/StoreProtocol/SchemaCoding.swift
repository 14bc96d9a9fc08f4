package import DataModel
import JSONText

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
  ///
  /// In a store of an older format, the default `:user` is a text, as earlier versions took it.
  ///
  /// Later versions of datactl add keys, types and rules without changing the newest format. So in
  /// a store of this format, a well-formed definition that this version does not accept was written
  /// by a later one.
  ///
  /// - Parameter format: The format of the store. It is read only if the result depends on it.
  package func decode(
    _ text: [UInt8], of name: String, in store: String, format: @autoclosure () -> Int64
  ) throws(DataError) -> Schema {
    do throws(DataError) {
      let schema = try decode(text)
      guard schema.fields.contains(where: \.defaultsToUser), format() < StoreFormat.newest else {
        return schema
      }
      var draft = SchemaDraft(schema)
      for slot in draft.fields.indices where draft.fields[slot].field.defaultsToUser {
        draft.fields[slot].field.defaultsToUser = false
        draft.fields[slot].field.defaultValue = .text(Field.userDefault)
      }
      return try Schema(checking: draft)
    } catch {
      if format() >= StoreFormat.newest, (try? JSONValue(parsing: text.span)) != nil {
        throw DataError(
          .storeTooNew,
          "\(store): schema \(name) was made by a newer datactl: \(error.problems[0].message)",
          hint: "install a newer version of datactl")
      }
      throw DataError(
        .storeDamaged,
        """
        \(store): the stored definition of schema \(name) is invalid: \(error.problems[0].message)
        """)
    }
  }
}
