import DataModel
package import DataStore
import Synchronization

extension SchemaCoding {
  /// Returns a coding that encodes each schema as a number and keeps the schemas in memory.
  package static func inMemory() -> SchemaCoding {
    let memory = Memory()
    return SchemaCoding(
      encode: { schema in
        memory.schemas.withLock { schemas in
          schemas.append(schema)
          return Array("\(schemas.count - 1)".utf8)
        }
      },
      decode: { text throws(DataError) in
        guard let index = Int(String(decoding: text, as: UTF8.self)) else {
          throw DataError(.invalidSchema, "no number")
        }
        return memory.schemas.withLock { $0[index] }
      })
  }

  private final class Memory: Sendable {
    let schemas = Mutex<[Schema]>([])
  }
}
