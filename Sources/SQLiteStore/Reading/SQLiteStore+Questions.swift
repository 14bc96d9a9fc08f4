package import DataModel
package import DataStore

extension SQLiteStore {
  package func snapshot() throws(DataError) -> any StoreReader { self }

  package func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    throw DataError(.usage, "a file does not answer this yet")
  }

  package func explain(_ query: Query) throws(DataError) -> Explanation {
    throw DataError(.usage, "a file does not answer this yet")
  }
}
