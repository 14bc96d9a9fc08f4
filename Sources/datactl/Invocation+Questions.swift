import DataClient
import DataModel

extension CommandContext {
  /// Prompts for confirmation of a change to a store.
  ///
  /// - Throws: An error unless the answer is yes.
  func confirm(_ action: String, in client: Client, declined: String) throws(DataError) {
    let action = "\(action) in \(client.address)"
    guard console.canPrompt else {
      throw DataError(
        .usage, "cannot ask for confirmation to \(action)", hint: "pass --yes")
    }
    guard try console.confirm("Really \(action)?") else {
      throw DataError(.declined, "\(declined) in \(client.address)")
    }
  }
}
