extension TypeDescriptor {
  static let date = TypeDescriptor(
    name: "date", synonyms: ["day"],
    declaration: .nothing, storeFormat: 2, storage: .date, scale: nil, textForm: .quoted,
    kind: .scalar,
    family: .time, isOrdered: true,
    rules: Rules(bounds: .values, hasChoices: true, hasDefault: true), indexSize: 8,
    phrases: Phrases(
      withArticle: "a date", expectation: "date as text, such as \"2026-11-20\"",
      operand: "a date as text, such as '2026-11-20'",
      bounds: ("a date no earlier than", "a date no later than")),
    sample: .date(.earliest),
    setText: { changes, slot, text, _ in
      if text.isEmpty, changes.setLeniently(slot, text) { return }
      if let iso = changes.conversions.lenience?.isoText(text) {
        changes.set(slot, date: iso.span)
      } else {
        changes.set(slot, date: text)
      }
    },
    setNumber: { $0.setNumberLeniently($1, $2) },
    lenientJSON: { _, _ in nil }, summand: nil,
    element: Element(
      appendText: { changes, slot, text in
        let iso = changes.conversions.lenience?.isoText(text)
        if let date = iso.map({ changes.date(slot, $0.span) }) ?? changes.date(slot, text) {
          changes.appendElement(.date(date))
        }
      },
      appendNumber: { $0.appendNumberLeniently($1, $2) }, example: "[\"2026-11-20\"]"),
    parse: { (text) throws(ValueTextError) in
      do throws(CalendarDate.ParseError) {
        return .date(try CalendarDate(parsing: text))
      } catch {
        throw .invalid(error.message(of: text), hint: error.hint)
      }
    }, literal: nil,
    conversion: { type in
      switch type {
      case "datetime", "text", "json": .lossless
      default: nil
      }
    },
    value: { rows, cell in
      rows.withBytes(of: cell) { try? CalendarDate(parsing: $0) }.map(Value.date) ?? .null
    },
    postgresType: "date", jsonSchema: #"{"type":"string","format":"date"}"#,
    writtenJSONSchema: #"{"type":"string","format":"date"}"#, typeScript: .builtIn("string"),
    equivalents: Equivalents(
      json: "\"2026-11-20\"", swift: "CalendarDate", sqlite: "TEXT", postgres: "date",
      telerik: "Date and Time", stackMob: "String", backendless: "DATETIME", coreData: "Date"))
}

extension RowChanges {
  fileprivate mutating func set(_ slot: Int, date text: Span<UInt8>) {
    guard let date = date(slot, text) else { return }
    if schema.slots[slot].hasRules {
      reportAll(slot, schema.fields[slot].violations(of: .date(date)))
    }
    rows[count - 1, slot] = rows.store(text)
  }

  /// Parses a date. If the text is not valid, reports a problem and returns nil.
  fileprivate mutating func date(_ slot: Int, _ text: Span<UInt8>) -> CalendarDate? {
    do throws(CalendarDate.ParseError) {
      return try CalendarDate(parsing: text)
    } catch {
      let others =
        error == .notADate && CalendarDate.isResembled(by: text)
        ? CalendarDate.hintForOtherNotations : ""
      report(slot, error.message(of: text), hint: error.hint.map { $0 + others })
      return nil
    }
  }
}
