package import DataModel
internal import JSONText

/// The header `Datactl-Saved`, which contains the counts of a save.
extension SaveSummary {
  package static let headerName = "Datactl-Saved"

  /// The value of the header `Datactl-Saved`, such as `new=900, changed=90, same=10`.
  package var header: String {
    "new=\(created), changed=\(changed), same=\(same)"
      + (rejected > 0 ? ", rejected=\(rejected)" : "")
  }

  /// Parses the value of the header `Datactl-Saved`. Returns nil if the value is not valid.
  package init?(header: String) {
    var counts: [String: Int] = [:]
    for part in header.split(separator: ",") {
      let pair = part.trimmed.split(separator: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, let count = Int(pair[1]), count >= 0,
        counts.updateValue(count, forKey: String(pair[0])) == nil
      else { return nil }
    }
    // The header can come from any server, and the sum of the counts must not overflow.
    guard let new = counts["new"], let changed = counts["changed"], let same = counts["same"],
      changed <= .max - new, same <= .max - new - changed
    else { return nil }
    self.init(created: new, changed: changed, same: same, rejected: counts["rejected"] ?? 0)
  }

  /// The counts of the save as a line of JSON, with the same names as in the header
  /// `Datactl-Saved`.
  package var json: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("new", JSONValue(created)), .init("changed", JSONValue(changed)),
      .init("same", JSONValue(same)),
    ]
    if rejected > 0 { members.append(.init("rejected", JSONValue(rejected))) }
    return JSONValue.object(members).line
  }
}
