package import DataModel

/// A request to delete records of a schema.
package struct DeleteRequest: Sendable {
  package enum Selection: Sendable {
    /// The records with these ids. `missing` determines whether an id without a record is an error.
    case ids([String])
    /// The records that meet the condition.
    case matching(Condition)
  }

  package enum Missing: Sendable {
    /// An id without a record is an error, and nothing is deleted.
    case refused
    case ignored
  }

  package var schema: Schema
  /// The versions of the schemas that the request was validated against. If one of them is no
  /// longer current, nothing is deleted.
  package var versions: SchemaVersions
  package var selection: Selection
  package var missing: Missing
  /// The revision that each record selected by id must have; nil to accept any revision.
  package var revision: Int64?
  package var stamp: Stamp
  package var wait: WriteWait
  package var end: SaveRequest.End
  /// The summary that a user has confirmed. If the summary of the deletion would differ from it,
  /// nothing is deleted.
  package var confirmed: DeleteSummary?

  package init(
    schema: Schema, versions: SchemaVersions, selection: Selection, missing: Missing = .refused,
    revision: Int64? = nil, stamp: Stamp, wait: WriteWait = WriteWait(),
    end: SaveRequest.End = .commit
  ) {
    self.schema = schema
    self.versions = versions
    self.selection = selection
    self.missing = missing
    self.revision = revision
    self.stamp = stamp
    self.wait = wait
    self.end = end
  }
}

extension DeleteRequest {
  /// Throws an error if the summary differs from the confirmed one.
  package func check(_ summary: DeleteSummary) throws(DataError) {
    guard let confirmed, confirmed != summary else { return }
    throw DataError(
      Problem(
        .changed,
        """
        the records have changed: \(summary.deleted) would be deleted now, but \
        \(confirmed.deleted) were confirmed
        """,
        hint: "run the command again", schema: schema.name))
  }
}

/// The numbers of records that a deletion affected.
package struct DeleteSummary: Hashable, Sendable {
  /// The number of deleted records that the request selected by id or condition.
  package var deleted: Int
  /// The numbers of records to which the deletion cascaded: one number for each schema, sorted by
  /// schema name.
  package var cascaded: [CascadeCount]
  /// The number of records that changed because a reference was cleared.
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
