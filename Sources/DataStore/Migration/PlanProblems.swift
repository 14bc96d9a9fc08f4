package import DataModel

/// The problems of existing records that prevent a change of their schema. For each field and kind
/// of problem, contains the number of records with the problem and the first few ids.
package struct PlanProblems: Sendable {
  package enum Kind: Hashable, Sendable {
    /// A value violates a constraint of the new schema or cannot be converted.
    case incompatibleData
    /// A value would be rounded, or a list that does not have exactly one element would become a
    /// single value.
    case loss
    /// Several records have the same value of a unique field.
    case duplicate
    /// A record refers to a record that does not exist.
    case dangling
    /// A user has no password, although the new schema requires one.
    case missing
    /// A record is in a chain of owners that is a circle or too long.
    case chain
  }

  /// The maximum number of record ids in a message.
  package static let maxListedIDs = 3

  private struct Key: Hashable {
    var slot: Int
    var kind: Kind
  }

  fileprivate struct Summary {
    var count = 0
    var ids: [String] = []
    var message: String?
    var latest: String?
  }

  private var summaries: [Key: Summary] = [:]

  mutating func addProblem(_ kind: Kind, _ message: String?, id: String, slot: Int) {
    var summary = summaries[Key(slot: slot, kind: kind)] ?? Summary()
    if let latest = summary.latest, latest.utf8.elementsEqual(id.utf8) { return }
    summary.latest = id
    summary.count += 1
    if summary.message == nil { summary.message = message }
    if summary.ids.count < Self.maxListedIDs { summary.ids.append(id) }
    summaries[Key(slot: slot, kind: kind)] = summary
  }

  mutating func addProblem(_ kind: Kind, ids: [String], count: Int, slot: Int) {
    guard count > 0 else { return }
    summaries[Key(slot: slot, kind: kind)] = Summary(count: count, ids: ids)
  }

  func problems(of alteration: Alteration) -> [Problem] {
    summaries.sorted { ($0.key.slot, $0.key.kind.order) < ($1.key.slot, $1.key.kind.order) }
      .map { key, summary in
        alteration.origin(of: key.slot) == nil
          ? summary.problem(key.kind, ofNew: key.slot, in: alteration.to)
          : summary.problem(key.kind, in: alteration.to, slot: key.slot)
      }
  }
}

extension PlanProblems.Kind {
  fileprivate var order: Int {
    switch self {
    case .incompatibleData: 0
    case .loss: 1
    case .duplicate: 2
    case .dangling: 3
    case .missing: 4
    case .chain: 5
    }
  }
}

extension PlanProblems.Summary {
  /// Returns the problem for a new field that cannot be added to existing records: a required field
  /// without a default, or a unique field with a default, which all existing records would share.
  fileprivate func problem(
    _ kind: PlanProblems.Kind, ofNew slot: Int, in schema: Schema
  ) -> Problem {
    let isUnique = schema.fields[slot].isUnique && schema.fields[slot].defaultValue != nil
    let records = count == 1 ? "1 existing record" : "\(count) existing records"
    let message =
      isUnique
      ? "a new unique field would have the same default"
      : "a new required field would have no value"
    return Problem(
      .incompatibleData, "\(message) in \(records)",
      hint: isUnique ? "remove the default" : "add a default, or remove required",
      schema: schema.name, field: schema.name(of: slot))
  }

  fileprivate func problem(_ kind: PlanProblems.Kind, in schema: Schema, slot: Int) -> Problem {
    let field = schema.name(of: slot)
    let records = count.counted("record")
    let theseRecords = count == 1 ? "this record" : "these records"
    switch kind {
    case .incompatibleData:
      return Problem(
        .incompatibleData,
        "\(records) \(count == 1 ? "violates" : "violate") the new schema: \(message ?? "")"
          + idList(prefix: ", in "),
        hint: "change \(theseRecords) first; nothing was changed",
        schema: schema.name, field: field)
    case .loss:
      return Problem(
        .loss,
        "\(records) would lose part of \(count == 1 ? "its value" : "their values"): "
          + idList(prefix: ""),
        hint: "pass --allow-loss \(schema.name).\(field)", schema: schema.name,
        field: field)
    case .duplicate:
      return Problem(
        .incompatibleData, "\(records) have duplicate values: " + idList(prefix: ""),
        hint: "list these records: datactl list \(schema.name) --order \(field)",
        schema: schema.name, field: field)
    case .dangling:
      let target = schema.type(of: slot).relation?.target ?? ""
      return Problem(
        .incompatibleData,
        "\(records) \(count == 1 ? "refers" : "refer") to a missing \(target): "
          + idList(prefix: ""),
        hint: "change \(theseRecords) first, or save the missing \(target)",
        schema: schema.name, field: field)
    case .missing:
      return Problem(
        .incompatibleData,
        "\(records) \(count == 1 ? "has" : "have") no value: " + idList(prefix: ""),
        hint: "set a value in \(theseRecords) first", schema: schema.name,
        field: field)
    case .chain:
      return Problem(
        .incompatibleData,
        """
        \(records) \(count == 1 ? "is" : "are") owned in a circle, or below more than \
        \(Schema.maxOwners - 1) others: \(idList(prefix: ""))
        """,
        hint: "change \(theseRecords) first", schema: schema.name, field: field)
    }
  }

  private func idList(prefix words: String) -> String {
    guard !ids.isEmpty else { return "" }
    let shown = ids.map { Excerpt.quoted($0) }.joined(separator: ", ")
    return words + shown + (count > ids.count ? ", …" : "")
  }
}

extension Problem {
  /// Returns the problem for dropping a schema or a field when the loss of its values is not
  /// allowed.
  ///
  /// - Parameter slot: The slot of the field to drop; nil if the whole schema is dropped.
  package static func loss(of schema: Schema, slot: Int?, count: Int) -> Problem {
    let field = slot.map { schema.name(of: $0) }
    let name = [schema.name, field].compactMap(\.self).joined(separator: ".")
    let records = count.counted("record")
    return Problem(
      .loss,
      field == nil ? "\(records) would be lost" : "\(records) would lose the value of this field",
      hint: "pass --allow-loss \(name)", schema: schema.name, field: field)
  }
}
