/// The rules that `schema lint` checks before schemas are deployed.
///
/// Each rule has a code that scripts may rely on. Codes are added, but never removed or renamed.
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

  /// The severity of a finding.
  package enum Level: String, CaseIterable, Comparable, Sendable {
    /// Information; nothing fails.
    case note
    /// A problem that may occur later.
    case warning
    /// Something that fails, or breaks existing programs.
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

  /// The severity and the texts of a rule, as shown in help, text, and JSON.
  package struct Facts: Sendable {
    package let level: Level
    /// The condition that the rule reports, in one sentence.
    package let title: String
    /// The consequence.
    package let why: String
    /// How to fix it.
    package let fix: String

    init(_ level: Level, _ title: String, why: String, fix: String) {
      self.level = level
      self.title = title
      self.why = why
      self.fix = fix
    }
  }

  /// Whether the rule compares schemas with the deployed ones.
  package var comparesSchemas: Bool {
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

/// A violation of a rule, and its location.
package struct LintFinding: Hashable, Sendable {
  package var rule: LintRule
  /// The message, with the names concerned.
  package var message: String
  /// How to fix this finding, if that is more specific than the fix of the rule.
  package var fix: String?
  package var schema: String?
  package var field: String?
  package var file: String?
  package var line: Int?

  package init(
    _ rule: LintRule, _ message: String, fix: String? = nil, schema: String? = nil,
    field: String? = nil, file: String? = nil, line: Int? = nil
  ) {
    self.rule = rule
    self.message = message
    self.fix = fix
    self.schema = schema
    self.field = field
    self.file = file
    self.line = line
  }

  /// Creates the finding for a schema file that is invalid.
  package init(_ problem: Problem) {
    self.init(
      .invalidSchema, problem.message, fix: problem.hint, schema: problem.schema,
      field: problem.field, file: problem.file, line: problem.line)
  }
}
