/// What a record of a chunk is in its tree.
package enum TreeRole: Sendable {
  /// The outer record.
  case root
  /// A record in place of an id, or in the list of an inverse that is not owned.
  case inside
  /// A record in an owned list.
  case part
  /// A record of which the list of an inverse contains only the id.
  case link
}
