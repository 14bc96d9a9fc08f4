import DataClient
import DataModel

extension Invocation {
  /// Asks whether something is to be done to a store, and throws unless the answer is yes.
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
