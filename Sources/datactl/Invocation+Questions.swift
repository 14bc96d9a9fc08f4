import DataClient
import DataModel

extension Invocation {
  /// Prompts for confirmation of a change to a store.
  ///
  /// - Throws: An error unless the answer is yes.
  func confirm(_ deed: String, in client: Client, declined: String) throws(DataError) {
    let deed = "\(deed) in \(client.address)"
    guard console.canAsk else {
      throw DataError(
        .usage, "cannot ask for confirmation to \(deed)", hint: "pass --yes")
    }
    guard try console.confirm("Really \(deed)?") else {
      throw DataError(.declined, "\(declined) in \(client.address)")
    }
  }
}
