/// What is looked for in schemas before they are deployed.
///
/// Each rule has a code that scripts may rely on. Codes are added, never removed or renamed.
package enum LintRule: String, CaseIterable, Hashable, Sendable {
  case invalidSchema = "invalid-schema"
  case missingTarget = "missing-target"
  case keyAlone = "key-alone"
  case nearNames = "near-names"
  case wayBack = "way-back"
  case wideIndex = "wide-index"
  case reservedWord = "reserved-word"
  case relationWithoutIndex = "relation-without-index"
  case schemaRemoved = "schema-removed"
  case schemaRenamed = "schema-renamed"
  case kindChanged = "kind-changed"
  case keyRenamed = "key-renamed"
  case fieldRemoved = "field-removed"
  case fieldRenamed = "field-renamed"
  case typeChanged = "type-changed"
  case fieldDemanded = "field-demanded"
  case requiredAdded = "required-added"
  case ruleTightened = "rule-tightened"
  case uniqueAdded = "unique-added"
  case propertyRemoved = "property-removed"
  case requiredDropped = "required-dropped"
  case choiceAdded = "choice-added"
  case defaultChanged = "default-changed"
  case onDeleteChanged = "on-delete-changed"
  case indexDropped = "index-dropped"

  /// How much it matters.
  package enum Level: String, CaseIterable, Comparable, Sendable {
    /// Good to know; nothing fails for it.
    case note
    /// Something will be in the way later.
    case warning
    /// Something does not work, or works no longer.
    case error

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// What text, JSON and help say of a rule.
  package struct Facts: Sendable {
    package let level: Level
    /// What is found, in a few words.
    package let title: String
    /// What would go wrong.
    package let why: String
    /// What to do about it.
    package let mend: String

    init(_ level: Level, _ title: String, why: String, mend: String) {
      self.level = level
      self.title = title
      self.why = why
      self.mend = mend
    }
  }

  /// Whether it compares schemas with those that are deployed.
  package var isOfChanges: Bool {
    switch self {
    case .invalidSchema, .missingTarget, .keyAlone, .nearNames, .wayBack, .wideIndex,
      .reservedWord, .relationWithoutIndex:
      false
    case .schemaRemoved, .schemaRenamed, .kindChanged, .keyRenamed, .fieldRemoved, .fieldRenamed,
      .typeChanged, .fieldDemanded, .requiredAdded, .ruleTightened, .uniqueAdded, .propertyRemoved,
      .requiredDropped, .choiceAdded, .defaultChanged, .onDeleteChanged, .indexDropped:
      true
    }
  }
}

/// One thing that a rule found, and where.
package struct LintFinding: Hashable, Sendable {
  package var rule: LintRule
  /// What was found, with the names at hand.
  package var message: String
  /// What to do about it here, where that can be said better than the rule does.
  package var mend: String?
  package var schema: String?
  package var field: String?
  package var file: String?
  package var line: Int?

  package init(
    _ rule: LintRule, _ message: String, mend: String? = nil, schema: String? = nil,
    field: String? = nil, file: String? = nil, line: Int? = nil
  ) {
    self.rule = rule
    self.message = message
    self.mend = mend
    self.schema = schema
    self.field = field
    self.file = file
    self.line = line
  }

  /// What keeps a file from being read.
  package init(_ problem: Problem) {
    self.init(
      .invalidSchema, problem.message, mend: problem.hint, schema: problem.schema,
      field: problem.field, file: problem.file, line: problem.line)
  }
}
