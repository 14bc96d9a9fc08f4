package import DataModel

/// The problems of records with a change of their schema, counted by field and kind.
package struct PlanFaults: Sendable {
  package enum Kind: Hashable, Sendable {
    /// A value violates a rule or cannot be converted.
    case misfit
    /// A value would be rounded, or reduced to the first of several.
    case loss
    /// Several records have the same value of a unique field.
    case double
    /// A reference is dangling.
    case dangling
    /// A user has no password.
    case missing
  }

  /// The maximum number of ids in a message.
  package static let named = 3

  private struct Place: Hashable {
    var slot: Int
    var kind: Kind
  }

  fileprivate struct Fault {
    var count = 0
    var ids: [String] = []
    var message: String?
    var latest: String?
  }

  private var faults: [Place: Fault] = [:]

  mutating func note(_ kind: Kind, _ message: String?, id: String, slot: Int) {
    var fault = faults[Place(slot: slot, kind: kind)] ?? Fault()
    if let latest = fault.latest, latest.utf8.elementsEqual(id.utf8) { return }
    fault.latest = id
    fault.count += 1
    if fault.message == nil { fault.message = message }
    if fault.ids.count < Self.named { fault.ids.append(id) }
    faults[Place(slot: slot, kind: kind)] = fault
  }

  mutating func note(_ kind: Kind, ids: [String], count: Int, slot: Int) {
    guard count > 0 else { return }
    faults[Place(slot: slot, kind: kind)] = Fault(count: count, ids: ids)
  }

  func problems(of alteration: Alteration) -> [Problem] {
    faults.sorted { ($0.key.slot, $0.key.kind.order) < ($1.key.slot, $1.key.kind.order) }
      .map { place, fault in
        alteration.origin(of: place.slot) == nil
          ? fault.problem(place.kind, ofNew: place.slot, in: alteration.to)
          : fault.problem(place.kind, in: alteration.to, slot: place.slot)
      }
  }
}

extension PlanFaults.Kind {
  fileprivate var order: Int {
    switch self {
    case .misfit: 0
    case .loss: 1
    case .double: 2
    case .dangling: 3
    case .missing: 4
    }
  }
}

extension PlanFaults.Fault {
  /// Returns the problem of a new field: no record has a value, or all have the same default.
  fileprivate func problem(
    _ kind: PlanFaults.Kind, ofNew slot: Int, in schema: Schema
  ) -> Problem {
    let isUnique = schema.fields[slot].isUnique && schema.fields[slot].defaultValue != nil
    let message =
      isUnique
      ? "a new unique field would have the same default in existing records"
      : "a new required field has no value for existing records"
    return Problem(
      .misfit, "\(message): \(count)",
      hint: isUnique ? "remove the default" : "add a default, or remove required",
      schema: schema.name, field: schema.name(of: slot))
  }

  fileprivate func problem(_ kind: PlanFaults.Kind, in schema: Schema, slot: Int) -> Problem {
    let field = schema.name(of: slot)
    let records = count == 1 ? "1 record" : "\(count) records"
    switch kind {
    case .misfit:
      return Problem(
        .misfit,
        "\(records) \(count == 1 ? "does" : "do") not fit: \(message ?? "")"
          + which(behind: ", in "),
        hint: "change \(count == 1 ? "it" : "them") first; nothing was changed",
        schema: schema.name, field: field)
    case .loss:
      return Problem(
        .loss,
        "\(records) would lose a part of \(count == 1 ? "its value" : "their values"): "
          + which(behind: ""),
        hint: "pass --allow-loss \(schema.name).\(field)", schema: schema.name,
        field: field)
    case .double:
      return Problem(
        .misfit, "\(records) have duplicate values: " + which(behind: ""),
        hint: "list them: datactl list \(schema.name) --order \(field)", schema: schema.name,
        field: field)
    case .dangling:
      let target = schema.type(of: slot).relation?.target ?? ""
      return Problem(
        .misfit,
        "\(records) \(count == 1 ? "refers" : "refer") to a missing \(target): "
          + which(behind: ""),
        hint: "change \(count == 1 ? "it" : "them") first, or save the missing records",
        schema: schema.name, field: field)
    case .missing:
      return Problem(
        .misfit, "\(records) \(count == 1 ? "has" : "have") no value: " + which(behind: ""),
        hint: "set \(count == 1 ? "its value" : "their values") first", schema: schema.name,
        field: field)
    }
  }

  private func which(behind words: String) -> String {
    guard !ids.isEmpty else { return "" }
    let shown = ids.map { Excerpt.quoted($0) }.joined(separator: ", ")
    return words + shown + (count > ids.count ? ", …" : "")
  }
}

extension Problem {
  /// A dropped schema or field has values, and its loss was not allowed.
  package static func loss(of schema: Schema, slot: Int?, count: Int) -> Problem {
    let field = slot.map { schema.name(of: $0) }
    let name = [schema.name, field].compactMap(\.self).joined(separator: ".")
    let records = count == 1 ? "1 record" : "\(count) records"
    return Problem(
      .loss,
      field == nil ? "\(records) would be lost" : "\(records) would lose the value",
      hint: "pass --allow-loss \(name)", schema: schema.name, field: field)
  }
}
