package import DataModel
package import DataText

/// Gives the records of one save, batch by batch: a reader of text, drafts, one open record.
package protocol ChangesSource: Sendable {
  /// The next batch, in the memory of one that is done with; nil behind the last.
  ///
  /// It is no greater than the portion asked for, and empty if nothing came in time.
  mutating func next(
    reusing changes: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes?

  /// What was wrong with records of the last batch, which are not in it.
  var rejected: [Rejection] { get }

  /// How many bytes have been read, if it reads any.
  var bytesRead: Int { get }

  /// A problem that the store found, with the place that it has in this source.
  func placed(_ problem: Problem) -> Problem
}

/// A record that is not saved, with all that is wrong with it.
package struct Rejection: Sendable {
  package var problems: [Problem]
  /// The record as it was read, where that was asked for and the reader refused it.
  package var text: [UInt8]?
  /// Where the record stands in its batch, if it was the store that refused it.
  package var row: Int?

  package init(problems: [Problem], text: [UInt8]? = nil, row: Int? = nil) {
    self.problems = problems
    self.text = text
    self.row = row
  }
}

/// Hears what becomes of a save: the command formats and spools what it hears, a program counts.
package protocol SaveListener: Sendable {
  /// Hears of rows as they will stand; those of refused outcomes are none.
  mutating func settled(_ changes: borrowing Changes, _ outcomes: [Outcome]) throws(DataError)

  /// Hears of a record that is left out, of the batch that it came with.
  mutating func rejected(
    _ rejection: Rejection, of changes: borrowing Changes
  ) throws(DataError)

  /// Hears how far the save is, after each batch.
  mutating func progressed(_ progress: SaveProgress)

  /// Hears that everything up to a line of the input is durable.
  mutating func committed(throughLine line: Int) throws(DataError)
}

/// How far a save is.
package struct SaveProgress: Hashable, Sendable {
  package var records: Int
  package var bytes: Int
}

/// What a save did.
public struct SaveSummary: Hashable, Sendable {
  /// How many records were new.
  public internal(set) var created: Int
  /// How many records changed.
  public internal(set) var changed: Int
  /// How many records were there already, just so.
  public internal(set) var same: Int
  /// How many records were left out because something was wrong with them.
  public internal(set) var rejected: Int

  package init(created: Int = 0, changed: Int = 0, same: Int = 0, rejected: Int = 0) {
    self.created = created
    self.changed = changed
    self.same = same
    self.rejected = rejected
  }

  /// How many records were saved.
  public var saved: Int { created + changed + same }
}
