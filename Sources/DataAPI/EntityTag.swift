internal import DataModel

/// The tag of a response, which changes whenever the response does (`ETag`).
///
/// The tag of a record contains its revision, so that a client can refer to the revision whatever
/// the form of the response was. Other tags contain only the hash of the response.
///
/// The tag of a compressed response differs from that of the same response without compression, as
/// HTTP requires. A condition with one of them matches the other too, because the compression does
/// not change the record.
package struct EntityTag: Hashable, Sendable {
  package var revision: Int64?
  /// The first 8 hexadecimal digits of the SHA-256 of the response. It is nil in a condition that
  /// compares only the revision.
  package var hash: String?
  /// Whether the response is compressed.
  package var isCompressed = false

  private static let compressionSuffix = "-gzip"

  package init(revision: Int64?, hash: String?, isCompressed: Bool = false) {
    self.revision = revision
    self.hash = hash
    self.isCompressed = isCompressed
  }

  /// Creates the tag of a response.
  package init(of response: [UInt8], revision: Int64? = nil) {
    var sum = SHA256()
    sum.update(response.span)
    self.init(revision: revision, hash: String(sum.hexadecimal().prefix(8)))
  }

  /// The tag as it is written in headers, with quotes: `"REVISION-HASH"`, `"REVISION"` or `"-HASH"`.
  /// If the response is compressed, the tag ends with `-gzip`.
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

  /// Returns whether a response with another tag meets the condition that this tag expresses.
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

/// The condition of a request on the tag of the current response (`If-Match`, `If-None-Match`).
package enum EntityCondition: Hashable, Sendable {
  /// `*`: the resource exists.
  case exists
  /// One of the tags matches. Tags that are not tags of this API are left out, because they match
  /// nothing.
  case tags([EntityTag])

  /// How tags are compared (RFC 9110, section 8.8.3.2).
  package enum Comparison: Sendable {
    /// A weak tag matches nothing, as `If-Match` requires.
    case strong
    /// A weak tag is compared like a strong one, as `If-None-Match` requires.
    case weak
  }

  /// Parses the value of a header.
  package init(_ header: String, comparison: Comparison) {
    let items = header.split(separator: ",").map(\.trimmed).map { item in
      comparison == .weak && item.hasPrefix("W/") ? String(item.dropFirst(2)) : item
    }
    self = items == ["*"] ? .exists : .tags(items.compactMap { EntityTag($0) })
  }

  /// The value of the header.
  package var text: String {
    switch self {
    case .exists: "*"
    case .tags(let tags): tags.map(\.text).joined(separator: ", ")
    }
  }

  /// The condition without the tags that consist of a revision only.
  package var withoutRevisions: EntityCondition {
    switch self {
    case .exists: self
    case .tags(let tags): .tags(tags.filter { $0.hash != nil })
    }
  }

  /// Returns whether a resource with the given tag meets the condition.
  package func matches(_ tag: EntityTag) -> Bool {
    switch self {
    case .exists: true
    case .tags(let tags): tags.contains { $0.matches(tag) }
    }
  }
}
