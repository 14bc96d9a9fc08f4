internal import DataModel

/// The tag of a response (`ETag`). It changes whenever the response changes.
///
/// The tag of a record contains the revision of the record. A client can therefore require this
/// revision, whatever the format of the response is. Other tags contain only the hash of the
/// response.
///
/// HTTP requires that a compressed response has another tag than the uncompressed one. In
/// `If-Match` and `If-None-Match`, each of the two tags matches both responses, because compression
/// does not change the record.
package struct EntityTag: Hashable, Sendable {
  package var revision: Int64?
  /// The first 8 hexadecimal digits of the SHA-256 of the response. Nil if a client has sent a tag
  /// that contains only a revision.
  package var hash: String?
  /// Whether the response is compressed.
  package var isCompressed = false

  private static let compressionSuffix = "-gzip"

  package init(revision: Int64?, hash: String?, isCompressed: Bool = false) {
    self.revision = revision
    self.hash = hash
    self.isCompressed = isCompressed
  }

  /// Creates the tag of an uncompressed response. If the response is a record, `revision` is the
  /// revision of the record.
  package init(of response: [UInt8], revision: Int64? = nil) {
    var sum = SHA256()
    sum.update(response.span)
    self.init(revision: revision, hash: String(sum.hexadecimal().prefix(8)))
  }

  /// The tag as it is written in headers, with quotes: `"REVISION-HASH"`, `"REVISION"` or
  /// `"-HASH"`. If the response is compressed, the tag ends with `-gzip`.
  package var text: String {
    let coding = isCompressed ? Self.compressionSuffix : ""
    return "\"\(revision.map { "\($0)" } ?? "")\(hash.map { "-\($0)" } ?? "")\(coding)\""
  }

  /// Parses a tag with its quotes. Returns nil if the text is not a tag of this API.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
    var content = String(text.dropFirst().dropLast())
    let isCompressed = content.hasSuffix(Self.compressionSuffix)
    if isCompressed { content.removeLast(Self.compressionSuffix.count) }
    let parts = content.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let revision = Int64(parts[0])
    guard parts[0].isEmpty || revision.map({ "\($0)" == parts[0] && $0 > 0 }) == true else {
      return nil
    }
    let hash = parts.count == 2 ? String(parts[1]) : nil
    guard hash.map(Self.isHash) ?? (revision != nil) else { return nil }
    self.init(revision: revision, hash: hash, isCompressed: isCompressed)
  }

  /// Returns whether this tag, which a client has sent in `If-Match` or `If-None-Match`, matches
  /// the tag of a response. If this tag contains only a revision, it matches all responses with
  /// this revision.
  package func matches(_ other: EntityTag) -> Bool {
    guard let hash else { return revision == other.revision }
    return hash == other.hash && revision == other.revision
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 8
      && text.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
      }
  }
}

/// A condition in a request (`If-Match`, `If-None-Match`) on the current tag of the resource.
package enum EntityCondition: Hashable, Sendable {
  /// The condition `*`, which any existing resource meets.
  case exists
  /// One of the tags matches. Tags that this API does not produce are omitted, because they match
  /// nothing.
  case tags([EntityTag])

  /// How tags are compared (RFC 9110, section 8.8.3.2).
  package enum Comparison: Sendable {
    /// Weak tags (`W/"…"`) match nothing, as `If-Match` requires.
    case strong
    /// Weak tags (`W/"…"`) are compared like strong ones, as `If-None-Match` requires.
    case weak
  }

  /// Parses the value of `If-Match` or `If-None-Match`.
  package init(_ header: String, comparison: Comparison) {
    let items = header.split(separator: ",").map(\.trimmed).map { item in
      comparison == .weak && item.hasPrefix("W/") ? String(item.dropFirst(2)) : item
    }
    self = items == ["*"] ? .exists : .tags(items.compactMap { EntityTag($0) })
  }

  /// The condition as it is written in `If-Match` and `If-None-Match`.
  package var text: String {
    switch self {
    case .exists: "*"
    case .tags(let tags): tags.map(\.text).joined(separator: ", ")
    }
  }

  /// The condition without the tags that contain only the revision of a record. Responses with the
  /// same revision can differ, for example in their format, and only a hash can distinguish them.
  package var withoutRevisions: EntityCondition {
    switch self {
    case .exists: self
    case .tags(let tags): .tags(tags.filter { $0.hash != nil })
    }
  }

  /// Returns whether the condition is `*`, or contains a tag that matches the given tag of the
  /// resource. `If-Match` requires this, and `If-None-Match` requires the opposite.
  package func matches(_ tag: EntityTag) -> Bool {
    switch self {
    case .exists: true
    case .tags(let tags): tags.contains { $0.matches(tag) }
    }
  }
}
