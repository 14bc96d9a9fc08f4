/// An operation on the records of a schema. Each operation has its own access rules.
public enum AccessVerb: String, CaseIterable, Sendable {
  /// Reading records, in any way.
  case read
  /// Creating records.
  case create
  /// Changing existing records.
  case update
  /// Deleting records.
  case delete
  /// Reading earlier versions of records.
  case history
}

/// A rule that allows some callers to perform an operation. If no rule allows an operation, only
/// administrators can perform it.
public enum AccessRule: Hashable, Sendable {
  /// Everyone, including callers who are not logged in.
  case anyone
  /// All users who are logged in.
  case users
  /// The users who have the role with this name.
  case role(String)
  /// The callers for whom the record satisfies the condition. In the text of the condition, `:user`
  /// is the id of the user who makes the request.
  case condition(String)

  private static let rolePrefix = "role:"

  /// Creates a rule from its text in a schema file. A text other than `anyone`, `users` or
  /// `role:NAME` is a condition.
  public init(text: String) {
    switch text {
    case "anyone": self = .anyone
    case "users": self = .users
    case _ where text.hasPrefix(Self.rolePrefix):
      self = .role(String(text.dropFirst(Self.rolePrefix.count)))
    default: self = .condition(text)
    }
  }

  /// The text of the rule in a schema file.
  public var text: String {
    switch self {
    case .anyone: "anyone"
    case .users: "users"
    case .role(let role): Self.rolePrefix + role
    case .condition(let text): text
    }
  }

  /// The text of the condition, or nil if the rule is not a condition.
  package var condition: String? { if case .condition(let text) = self { text } else { nil } }

  /// Returns whether this rule certainly allows every caller that another rule allows. Conditions
  /// are compared only by their text.
  package func covers(_ other: AccessRule) -> Bool {
    switch (self, other) {
    case (.anyone, _): true
    case (.users, .users), (.users, .role): true
    case (.users, _), (.role, _), (.condition, _): self == other
    }
  }
}

/// The access rules of a schema: a list of rules for each operation. One rule of the list that
/// allows the operation is enough. If an operation has no rules, only administrators can perform
/// it.
public struct AccessRules: Hashable, Sendable {
  // With a dictionary, Swift's runtime would search for the `Hashable` conformance of its keys,
  // which takes 300,000 instructions in each command that reads a schema with rules.
  private var read: [AccessRule]?
  private var create: [AccessRule]?
  private var update: [AccessRule]?
  private var delete: [AccessRule]?
  private var history: [AccessRule]?

  /// Creates an empty set of rules: only administrators can use the records.
  public init() {}

  /// The rules for an operation, or nil if it has none.
  public subscript(verb: AccessVerb) -> [AccessRule]? {
    get {
      switch verb {
      case .read: read
      case .create: create
      case .update: update
      case .delete: delete
      case .history: history
      }
    }
    set {
      switch verb {
      case .read: read = newValue
      case .create: create = newValue
      case .update: update = newValue
      case .delete: delete = newValue
      case .history: history = newValue
      }
    }
  }

  /// Whether no operation has rules.
  public var isEmpty: Bool { AccessVerb.allCases.allSatisfy { self[$0] == nil } }
}

/// The access rules of a field. They cannot be conditions, so they do not depend on the record.
public struct FieldAccess: Hashable, Sendable {
  /// The rules for reading the field; nil if everyone who may read the record may read the field.
  public var read: [AccessRule]?
  /// The rules for writing the field; nil if everyone who may write the record may write the field.
  public var write: [AccessRule]?

  /// Creates rules for a field.
  ///
  /// - Parameters:
  ///   - read: The rules for reading the field, or nil if everyone who may read the record may read
  ///     the field.
  ///   - write: The rules for writing the field, or nil if everyone who may write the record may
  ///     write the field.
  public init(read: [AccessRule]? = nil, write: [AccessRule]? = nil) {
    self.read = read
    self.write = write
  }

  /// Whether the field has no rules of its own.
  public var isEmpty: Bool { read == nil && write == nil }

  /// Returns the messages that explain why the rules are invalid for a field of the given type.
  /// Empty if the rules are valid.
  func problems(of type: FieldType) -> [String] {
    var problems: [String] = []
    for (key, rules) in [("read", read), ("write", write)] {
      problems += (rules ?? []).compactMap(\.wordProblem).map { "access.\(key): \($0)" }
    }
    if type == .id && !isEmpty {
      problems.append(
        "the primary key cannot have access rules: everyone who reads a record sees it")
    }
    if problems.isEmpty, let read, let write,
      !write.allSatisfy({ rule in read.contains { $0.covers(rule) } })
    {
      problems.append("access: everyone who may write the field must also be able to read it")
    }
    return problems
  }
}

extension AccessRule {
  /// The message that explains why this rule cannot be a rule of a field, or nil if it can. A field
  /// can have the rules `anyone`, `users` and `role:NAME`, but no conditions.
  package var wordProblem: String? {
    guard let condition else { return roleProblem }
    return "expected anyone, users or role:NAME, found \(Excerpt.quoted(condition))"
  }

  /// The message that explains why the name of a role is invalid; nil if it is valid, or if the
  /// rule is not a role.
  var roleProblem: String? {
    guard case .role(let name) = self else { return nil }
    let isValid = !name.isEmpty && !name.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    return isValid
      ? nil : "expected the name of a role after \"role:\", found \(Excerpt.quoted(name))"
  }
}

extension [AccessRule] {
  /// The rules as JSON: the text of a single rule, or an array of texts.
  package var jsonText: String {
    let texts = map { Value.text($0.text).jsonText }
    return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
  }
}

extension AccessRules {
  /// The rules as members of a JSON object, in the order of `AccessVerb.allCases`.
  package var members: [(key: String, json: String)] {
    AccessVerb.allCases.compactMap { verb in self[verb].map { (verb.rawValue, $0.jsonText) } }
  }
}

extension FieldAccess {
  /// The rules as a JSON object, or nil if there are none.
  package var jsonText: String? {
    if isEmpty { return nil }
    let members = [("read", read), ("write", write)].compactMap { key, rules in
      rules.map { "\"\(key)\": \($0.jsonText)" }
    }
    return "{\(members.joined(separator: ", "))}"
  }
}
