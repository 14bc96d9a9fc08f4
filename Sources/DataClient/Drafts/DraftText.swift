internal import DataText

/// A byte source that serializes drafts as NDJSON for the record reader.
///
/// Thus the same code validates records from programs and records from files.
struct DraftText: ByteSource {
  private let drafts: [Draft]
  private let schema: Schema
  private var index = 0

  init(_ drafts: [Draft], for schema: Schema) {
    self.drafts = drafts
    self.schema = schema
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    let start = buffer.count
    while index < drafts.count, buffer.count - start < count {
      append(drafts[index], to: &buffer)
      index += 1
    }
    return buffer.count - start
  }

  private func append(_ draft: Draft, to output: inout [UInt8]) {
    let members = draft.entries.compactMap { entry -> Draft.Entry? in
      guard let slot = schema.slot(ofProperty: entry.name) else { return entry }
      let kind = schema.slots[slot].kind
      if case .none = entry.value.form, kind.isOmittedWhenNil { return nil }
      if entry.value.problem(in: kind) != nil { return nil }
      return Draft.Entry(name: schema.name(of: slot), value: entry.value)
    }
    DraftValue(form: .object(members)).append(to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  /// Returns the problems in a draft that cannot be detected in its JSON, such as an infinite
  /// number.
  static func draftProblems(of draft: Draft, in schema: Schema) -> [Problem] {
    draft.entries.compactMap { entry in
      guard let slot = schema.slot(ofProperty: entry.name),
        let problem = entry.value.problem(in: schema.slots[slot].kind)
      else { return nil }
      return Problem(.invalid, problem, schema: schema.name, field: schema.name(of: slot))
    }
  }
}

extension Slot.Kind {
  /// Whether a property that is nil is omitted instead of saved as null. This is true for ids,
  /// which may not have been assigned yet; for passwords, which are never read; and for system
  /// fields.
  fileprivate var isOmittedWhenNil: Bool {
    switch self {
    case .id, .password, .system: true
    case .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .reference,
      .references, .array:
      false
    }
  }
}

extension DraftValue {
  /// Returns the problem in a value if it cannot be detected in the value's JSON, or nil if there
  /// is none.
  fileprivate func problem(in kind: Slot.Kind) -> String? {
    switch form {
    case .number(let number):
      return number.isFinite ? nil : "expected a finite number, found \(number)"
    case .add(let amount): return kind == .json ? "expected json, found \(display)" : amount.problem
    case .upload, .edit: return kind == .json ? "expected json, found \(display)" : nil
    case .list(let values): return values.lazy.compactMap(\.problem).first
    case .object(let members): return members.lazy.compactMap(\.value.problem).first
    case .null, .none, .text, .integer, .boolean, .datetime, .point, .file, .json, .tree: return nil
    }
  }

  /// The problem in a value that is nested in another value.
  private var problem: String? { problem(in: .json) }
}
