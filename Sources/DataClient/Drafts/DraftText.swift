internal import DataText

/// Writes drafts as the JSON that a reader of records takes, one a line: what a program gives and
/// what comes in a file take the same path, and are checked in one place.
struct DraftText: ByteSource {
  private let drafts: [Draft]
  private let schema: Schema
  private var place = 0

  init(_ drafts: [Draft], for schema: Schema) {
    self.drafts = drafts
    self.schema = schema
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    let start = buffer.count
    while place < drafts.count, buffer.count - start < count {
      append(drafts[place], to: &buffer)
      place += 1
    }
    return buffer.count - start
  }

  private func append(_ draft: Draft, to output: inout [UInt8]) {
    let members = draft.entries.compactMap { entry -> Draft.Entry? in
      guard let slot = schema.slot(ofProperty: entry.name) else { return entry }
      let kind = schema.slots[slot].kind
      if case .none = entry.value.form, kind.staysWithoutValue { return nil }
      if entry.value.fault(in: kind) != nil { return nil }
      return Draft.Entry(name: schema.name(of: slot), value: entry.value)
    }
    DraftValue(form: .object(members)).append(to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  /// What is wrong with a draft that the JSON of it would not show.
  static func faults(of draft: Draft, in schema: Schema) -> [Problem] {
    draft.entries.compactMap { entry in
      guard let slot = schema.slot(ofProperty: entry.name),
        let fault = entry.value.fault(in: schema.slots[slot].kind)
      else { return nil }
      return Problem(.invalid, fault, schema: schema.name, field: schema.name(of: slot))
    }
  }
}

extension Slot.Kind {
  /// Whether a property without a value says nothing of the field: an id that is to be assigned, a
  /// password, which is never read, and what the store keeps itself.
  fileprivate var staysWithoutValue: Bool {
    switch self {
    case .id, .password, .system: true
    case .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .reference,
      .references, .array:
      false
    }
  }
}

extension DraftValue {
  /// What is wrong with the value that the JSON of it would not show.
  fileprivate func fault(in kind: Slot.Kind) -> String? {
    switch form {
    case .number(let number):
      return number.isFinite ? nil : "expected a finite number, found \(number)"
    case .add(let amount): return kind == .json ? "expected json, found \(display)" : amount.fault
    case .upload, .edit: return kind == .json ? "expected json, found \(display)" : nil
    case .list(let values): return values.lazy.compactMap(\.fault).first
    case .object(let members): return members.lazy.compactMap(\.value.fault).first
    case .null, .none, .text, .integer, .boolean, .datetime, .point, .file, .json, .tree: return nil
    }
  }

  /// What is wrong with a value inside another.
  private var fault: String? { fault(in: .json) }
}
