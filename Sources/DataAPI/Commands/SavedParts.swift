package import DataModel
import JSONText

/// What a save has committed whose input a client sends in parts. The server returns it after each
/// part, and the client sends it together with the next part.
package struct SavedParts: Hashable, Sendable {
  package var summary = SaveSummary()
  /// The last line of the input whose record is committed, or nil if there is none.
  package var line: Int?
  /// The errors of the records that were skipped, or nil if there are none.
  package var skipped: DataError?

  package init() {}

  /// Adds what a further part has saved. Throws an error if the counts are too large, which only an
  /// invalid message can cause.
  package mutating func add(
    _ part: SaveSummary, through line: Int?, skipping errors: DataError?
  ) throws(DataError) {
    let limit = Int.max / 8
    guard
      [summary, part].allSatisfy({ $0.saved <= limit && (0...limit).contains($0.rejected) })
    else { throw .invalidFrame("the counts of a part are too large") }
    summary.add(part)
    if let line { self.line = line }
    if let errors { skipped.add(errors) }
  }

  var jsonValue: JSONValue {
    [
      "saved": .text(summary.header), "line": JSONValue(line),
      "skipped": skipped.map { .object($0.members) } ?? .null,
    ]
  }

  init(parsing value: JSONValue) throws(DataError) {
    guard let summary = value.text("saved").flatMap(SaveSummary.init(header:)) else {
      throw .invalidFrame("a part has invalid counts")
    }
    self.summary = summary
    line = value.count("line")
    skipped = value["skipped"].flatMap(DataError.init(complete:))
  }
}
