package import DataModel

/// Which records are to go.
package struct DeleteRequest: Sendable {
  package enum Selection: Sendable {
    /// These; one that is not there is an error, unless `ifExists`.
    case ids([String])
    /// All that meet the condition.
    case matching(Condition)
  }

  package enum Missing: Sendable {
    /// An id that is not there is an error, and nothing is deleted.
    case refused
    case ignored
  }

  package var schema: Schema
  package var catalogVersion: Int64
  package var selection: Selection
  package var missing: Missing
  /// The revision that the record must have.
  package var revision: Int64?
  package var stamp: Stamp
  package var wait: WriteWait
  package var end: SaveRequest.End
  /// What somebody has agreed to, if it was asked; anything else is not done.
  package var agreed: DeleteSummary?

  package init(
    schema: Schema, catalogVersion: Int64, selection: Selection, missing: Missing = .refused,
    revision: Int64? = nil, stamp: Stamp, wait: WriteWait = WriteWait(),
    end: SaveRequest.End = .commit
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.selection = selection
    self.missing = missing
    self.revision = revision
    self.stamp = stamp
    self.wait = wait
    self.end = end
  }
}

extension DeleteRequest {
  /// Refuses what nobody has agreed to.
  package func check(_ summary: DeleteSummary) throws(DataError) {
    guard let agreed, agreed != summary else { return }
    throw DataError(
      Problem(
        .changed,
        "the records changed meanwhile: \(summary.deleted) would be deleted, not \(agreed.deleted)",
        hint: "run the command again", schema: schema.name))
  }
}

/// What a deletion did.
package struct DeleteSummary: Hashable, Sendable {
  /// How many of the records that were named or selected are gone.
  package var deleted: Int
  /// How many others went with them, by schema, in the order of the names.
  package var cascaded: [CascadeCount]
  /// How many records lost a reference, and changed by that.
  package var nullified: Int

  package struct CascadeCount: Hashable, Sendable {
    package var schema: String
    package var count: Int

    package init(schema: String, count: Int) {
      self.schema = schema
      self.count = count
    }
  }

  package init(deleted: Int = 0, cascaded: [CascadeCount] = [], nullified: Int = 0) {
    self.deleted = deleted
    self.cascaded = cascaded
    self.nullified = nullified
  }
}
