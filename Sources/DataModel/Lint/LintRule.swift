/// The rules that `schema lint` checks before schemas are deployed.
///
/// Each rule has a code that scripts may rely on. New codes may be added, but existing ones are
/// never removed or renamed.
package enum LintRule: String, CaseIterable, Hashable, Sendable {
  case invalidSchema = "invalid-schema"
  case invalidMap = "invalid-map"
  case mapWithoutKey = "map-without-key"
  case missingTarget = "missing-target"
  case keyAlone = "key-alone"
  case nearNames = "near-names"
  case wayBack = "way-back"
  case wideIndex = "wide-index"
  case wideDecimal = "wide-decimal"
  case reservedWord = "reserved-word"
  case relationWithoutIndex = "relation-without-index"
  case anchoredPattern = "anchored-pattern"
  case userDefault = "user-default"
  case writeByAnyone = "write-by-anyone"
  case constantRule = "constant-rule"
  case ruleWithoutIndex = "rule-without-index"
  case unreadableRecord = "unreadable-record"
  case hiddenUnique = "hidden-unique"
  case possibleOwner = "possible-owner"
  case rulesWithoutOwner = "rules-without-owner"
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
  case inverseRemoved = "inverse-removed"

  /// The severity of a finding.
  package enum Level: String, CaseIterable, Comparable, Sendable {
    /// Information about a declaration that is not a problem by itself.
    case note
    /// A problem that may occur later.
    case warning
    /// A schema or a map is invalid, or a change to a schema breaks existing programs.
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

  /// The severity of a rule and the texts that explain it, as shown in help, text output, and JSON.
  package struct Facts: Sendable {
    package let level: Level
    /// The problem that the rule finds, in one sentence.
    package let title: String
    /// The consequence of the problem.
    package let why: String
    /// How to fix the problem.
    package let fix: String

    init(_ level: Level, _ title: String, why: String, fix: String) {
      self.level = level
      self.title = title
      self.why = why
      self.fix = fix
    }
  }

  /// Whether the rule compares schemas with the deployed ones. If not, it checks schema files by
  /// themselves.
  package var comparesSchemas: Bool {
    switch self {
    case .invalidSchema, .invalidMap, .mapWithoutKey, .missingTarget, .keyAlone, .nearNames,
      .wayBack,
      .wideIndex, .wideDecimal, .reservedWord, .relationWithoutIndex, .anchoredPattern,
      .userDefault, .writeByAnyone,
      .constantRule, .ruleWithoutIndex, .unreadableRecord, .hiddenUnique, .possibleOwner,
      .rulesWithoutOwner:
      false
    case .schemaRemoved, .schemaRenamed, .kindChanged, .keyRenamed, .fieldRemoved, .fieldRenamed,
      .typeChanged, .fieldDemanded, .requiredAdded, .ruleTightened, .uniqueAdded, .propertyRemoved,
      .requiredDropped, .choiceAdded, .defaultChanged, .onDeleteChanged, .indexDropped,
      .inverseRemoved:
      true
    }
  }
}

/// A finding of `schema lint`: a violation of a rule, and its location.
package struct LintFinding: Hashable, Sendable {
  package var rule: LintRule
  /// The message, with the details of this violation.
  package var message: String
  /// How to fix this violation. If nil, the general advice of the rule is shown instead.
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

  /// Creates a finding from the problem that makes a schema file invalid.
  package init(_ problem: Problem, _ rule: LintRule = .invalidSchema) {
    self.init(
      rule, problem.message, fix: problem.hint, schema: problem.schema,
      field: problem.field, file: problem.file, line: problem.line)
  }
}

extension LintRule {
  /// The severity of the rule and the texts that explain it.
  package var facts: Facts {
    switch self {
    case .invalidSchema:
      Facts(
        .error, "The file is not a valid schema.",
        why: "`schema apply` rejects the file.",
        fix: """
          Fix the problem that the message describes; see `datactl help schema-files` for the rules.
          """)
    case .invalidMap:
      Facts(
        .error, "A map given with `--map` cannot be used with a schema.",
        why: "Commands that use this map with the schema fail.",
        fix: "Fix the problem that the message describes; see `datactl help maps` for the rules.")
    case .mapWithoutKey:
      Facts(
        .warning, "A map given with `--map` does not map the primary key.",
        why: "Each time the same document is saved, its records get new ids and are created again.",
        fix: "Add the primary key to the `fields` of the map, for example as `$key`.")
    case .missingTarget:
      Facts(
        .error, "A relation refers to a schema that does not exist.",
        why: "`schema apply` rejects the file.",
        fix: "Add the schema, or correct the name in the key `to`.")
    case .keyAlone:
      Facts(
        .warning, "A schema has no fields except its primary key.",
        why: "Its records contain no data.",
        fix: "Declare the other fields, which were probably forgotten.")
    case .nearNames:
      Facts(
        .warning, "Two names differ only in plural endings or underscores.",
        why: "Programs may write values under one name and read them under the other.",
        fix: "Remove or rename one of them.")
    case .wayBack:
      Facts(
        .warning,
        """
        Converting a name to camelCase and back results in a different name: `x_y_z` becomes \
        `xYZ`, and `xYZ` becomes `x_yz`.
        """,
        why: "Programs that convert names in both directions do not find the field or the schema.",
        fix: "Choose another name or, for a field, add the camelCase name to `properties`.")
    case .wideIndex:
      Facts(
        .warning, "The entries of an index, or of a unique field, may become too large.",
        why: """
          An entry can have at most 2,400 bytes, including the id. Records with larger values are \
          rejected.
          """,
        fix: "Set `max` for the text fields; each character takes up to four bytes.")
    case .wideDecimal:
      Facts(
        .warning, "A decimal has more than 15 digits.",
        why: """
          datactl itself is exact, but JavaScript and older versions of jq read a JSON number as a \
          double, which has 15 to 17 digits.
          """,
        fix: "Declare at most 15 digits, or read the values with programs that keep all digits.")
    case .reservedWord:
      Facts(
        .note, "A name is a reserved word of SQL.",
        why: """
          datactl quotes the name, but in other tools you have to quote it yourself. The name `user` \
          of a user schema is not reported.
          """,
        fix: "Use another name if other tools read the store.")
    case .writeByAnyone:
      Facts(
        .warning, "An access rule lets everyone create, change or delete records.",
        why: """
          On a server, these changes need no login. In a user schema, a `create` rule with \
          `anyone` is not reported, because people need it to sign up.
          """,
        fix: "Use `users`, `role:NAME` or a condition instead of `anyone`.")
    case .constantRule:
      Facts(
        .warning, "The condition of an access rule is always true or always false.",
        why: "The rule does not depend on the record, so it is probably a mistake.",
        fix: """
          If the condition is always true, write `anyone` or `users` instead. If it is always \
          false, remove the rule.
          """)
    case .ruleWithoutIndex:
      Facts(
        .note,
        "The condition of a `read` rule compares a field with `=`, but no index begins with the field.",
        why: "The store adds this condition to every query of callers who are not administrators.",
        fix: "If the schema has many records, add an index on the field.")
    case .unreadableRecord:
      Facts(
        .warning, "Some callers may create records, but no rule lets them read the records.",
        why: "They cannot read the records that they have saved.",
        fix: "Add a rule for `read`, such as a condition with `:user`.")
    case .hiddenUnique:
      Facts(
        .warning, "A unique field has a `read` rule, and some users may save records.",
        why: """
          If a save fails because another record has the same value, the user learns that this \
          value exists, even if the user may not read the field.
          """,
        fix: "Remove `unique` or the rule, or let only the readers of the field save records.")
    case .possibleOwner:
      Facts(
        .note, "A relation is required, cascades and has an inverse, but is not owned.",
        why: """
          If the records are parts of the related record, such as the lines of an order, two people \
          who edit the same order do not notice each other, and `save --deep` deletes no line.
          """,
        fix: "If the records are edited together with the related record, add `\"owned\": true`.")
    case .rulesWithoutOwner:
      Facts(
        .warning, "The access rules of an owned schema do not name the owner.",
        why:
          "Callers can add parts to every record that they may read, and so change its revision.",
        fix: "Use a condition on the owner, such as `order.customer = :user`.")
    case .relationWithoutIndex:
      Facts(
        .note, "The schema declares no index that begins with this to-one relation.",
        why: """
          A relation is indexed automatically, but without other fields. To list the records that \
          refer to a given record, sorted by another field, the store has to read and sort all of \
          them, even with `--limit`.
          """,
        fix: """
          If many records refer to the same record, add an index on the relation and the sort \
          fields.
          """)
    case .anchoredPattern:
      Facts(
        .warning, "A pattern begins with `^` or ends with `$`.",
        why: """
          A pattern always matches the whole text, so `^` and `$` are not anchors but ordinary \
          characters.
          """,
        fix: """
          Remove `^` and `$`. If the text must contain these characters, write `\\^` and `[$]`.
          """)
    case .userDefault:
      Facts(
        .note, "A text field has the default `:user`.",
        why: """
          New records get the id of the acting user. Before version 0.3.0, the default was the \
          text `:user`.
          """,
        fix: "If you mean the text, write it as `\"\\u003auser\"`.")
    case .schemaRemoved:
      Facts(
        .error, "A deployed schema is no longer declared in any file of the folder.",
        why: """
          Programs that use the schema fail, and its records are lost when the change is applied.
          """,
        fix: "Keep the schema file as long as any program uses the schema.")
    case .schemaRenamed:
      Facts(
        .error, "A schema has been renamed.",
        why: "Programs that use the old name fail. The records of the schema are kept.",
        fix: "Update the programs together with the store, or keep the name.")
    case .kindChanged:
      Facts(
        .error, "A schema has become a user schema, or is no longer one.",
        why: "`schema apply` rejects this change.",
        fix: "Restore the kind of the schema, or declare a new schema instead.")
    case .keyRenamed:
      Facts(
        .error, "The primary key of a user schema has been renamed.",
        why: "Programs that use the old name fail.",
        fix: "Restore the old name.")
    case .fieldRemoved:
      Facts(
        .error, "A deployed field is no longer declared.",
        why: """
          Programs that use the field fail, and its values are lost when the change is applied.
          """,
        fix: "Keep the field as long as any program uses it; mark it as deprecated in its `doc`.")
    case .fieldRenamed:
      Facts(
        .error, "A field has been renamed.",
        why: "Programs that use the old name fail. The values of the field are kept.",
        fix: "Update the programs together with the store, or keep the name.")
    case .typeChanged:
      Facts(
        .error, "The type of a field has changed.",
        why: "Programs still read and write values of the old type.",
        fix: "Add a field with another name, copy the values to it, and drop the old field later.")
    case .fieldDemanded:
      Facts(
        .error, "A new field is required and has no default.",
        why: "Programs that do not set the field can no longer create records.",
        fix: "Give the field a `default`, or omit `required` until all programs set the field.")
    case .requiredAdded:
      Facts(
        .error, "A field has become required.",
        why: "Programs that omit the field or set it to null get errors.",
        fix: "Give the field a `default`, and first make sure that no program writes null.")
    case .ruleTightened:
      Facts(
        .error, "`min`, `max`, `one_of` or `pattern` of a field has become stricter.",
        why: "Programs that write values that are no longer allowed get errors.",
        fix: "First change the programs and the records so that they satisfy the new rule.")
    case .uniqueAdded:
      Facts(
        .error, "A field has become unique.",
        why: "Programs that write a duplicate value get errors.",
        fix: "First make sure that no program writes duplicate values.")
    case .propertyRemoved:
      Facts(
        .error, "A property has been removed, or belongs to another field.",
        why: "Programs that use the property fail, or use the other field.",
        fix: "Keep the property.")
    case .requiredDropped:
      Facts(
        .warning, "A field is no longer required.",
        why: "Programs that read the field may get null for the first time.",
        fix: "First make sure that these programs handle null.")
    case .choiceAdded:
      Facts(
        .warning, "The key `one_of` of a field allows more values than before.",
        why: "Programs that expect only the old values may get a new value.",
        fix: "First make sure that these programs handle the new values.")
    case .defaultChanged:
      Facts(
        .warning, "A default has been added, changed or removed.",
        why: "Programs that omit the field create different records than before.",
        fix: "Change the programs so that they set the field explicitly.")
    case .onDeleteChanged:
      Facts(
        .warning, "Deleting the target of a relation now has a different effect.",
        why: "Programs that delete the target may get errors, or delete other records than before.",
        fix: "Check these programs.")
    case .indexDropped:
      Facts(
        .warning, "An index has been removed.",
        why: "To print records in the order of the index, the store has to sort all records.",
        fix: "Keep the index if any program sorts records in this order.")
    case .inverseRemoved:
      Facts(
        .warning, "The inverse of a relation has been renamed or removed.",
        why: "Conditions and expansions that use the old name fail.",
        fix: "Keep the name, or change the programs that use it.")
    }
  }
}
