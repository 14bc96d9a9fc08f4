extension TypeDescriptor {
  static let datetime = TypeDescriptor(
    name: "datetime", synonyms: ["time", "timestamp"],
    declaration: .nothing, storeFormat: 1, storage: .datetime, scale: nil, textForm: .quoted,
    kind: .scalar, family: .time, isOrdered: true,
    rules: Rules(bounds: .values, hasChoices: true, hasDefault: true), indexSize: 8,
    phrases: Phrases(
      withArticle: "a datetime",
      expectation: "datetime as text, such as \"2026-11-20T03:05:00Z\"",
      operand: "a datetime as text, such as '2026-11-20'",
      bounds: ("a datetime no earlier than", "a datetime no later than")),
    sample: .datetime(.earliest),
    setText: { changes, slot, text, _ in
      if text.isEmpty, changes.setLeniently(slot, text) { return }
      guard let time = changes.timestamp(slot, text) else { return }
      if changes.schema.slots[slot].hasRules {
        changes.reportAll(slot, changes.schema.fields[slot].violations(of: .datetime(time)))
      }
      changes.rows[changes.count - 1, slot] = .integer(time.microseconds)
    },
    setNumber: { $0.setNumberLeniently($1, $2) },
    lenientJSON: { _, _ in nil }, summand: nil,
    element: Element(
      appendText: { changes, slot, text in
        if let time = changes.timestamp(slot, text) { changes.appendElement(.datetime(time)) }
      },
      appendNumber: { $0.appendNumberLeniently($1, $2) }, example: "[\"2026-11-20T12:00:00Z\"]"),
    parse: { (text) throws(ValueTextError) in
      do throws(Timestamp.ParseError) {
        return .datetime(try Timestamp(parsing: text))
      } catch {
        throw .invalid(error.message(of: text), hint: error == .tooPrecise ? nil : error.hint)
      }
    }, literal: nil,
    conversion: { type in
      switch type {
      case "date": .lossy
      case "text", "json": .lossless
      default: nil
      }
    },
    value: { _, cell in
      Timestamp(microseconds: cell.integer).map(Value.datetime) ?? .null
    },
    postgresType: "timestamptz", jsonSchema: #"{"type":"string","format":"date-time"}"#,
    writtenJSONSchema: #"{"type":"string","format":"date-time"}"#,
    typeScript: .builtIn("string"),
    equivalents: Equivalents(
      json: "\"2026-11-20T03:05:00.000Z\"", swift: "Timestamp", sqlite: "INTEGER, µs",
      postgres: "timestamptz", telerik: "Date and Time", stackMob: "Integer, ms",
      backendless: "DATETIME", coreData: "Date"))
}

extension RowChanges {
  /// Parses a time. If the text is not valid, reports a problem and returns nil.
  mutating func timestamp(_ slot: Int, _ text: Span<UInt8>) -> Timestamp? {
    do throws(Timestamp.ParseError) {
      return try Timestamp(parsing: text, roundsTimes: conversions.roundsTimes)
    } catch {
      return convertedTimestamp(slot, text, rejected: error)
    }
  }

  /// Parses a time that is not in the default format, in one of the additional formats that
  /// `conversions` permits. If the text has none of these formats, reports a problem and returns
  /// nil.
  ///
  /// - Parameter error: The error from parsing the default format. It is reported if `conversions`
  ///   permits no additional format.
  private mutating func convertedTimestamp(
    _ slot: Int, _ text: Span<UInt8>, rejected error: Timestamp.ParseError
  ) -> Timestamp? {
    var error = error
    if conversions.isLenient || conversions.zone != nil {
      do throws(Timestamp.ParseError) {
        return try Timestamp(parsing: text, by: conversions)
      } catch let found {
        error = found
      }
    }
    var others = error == .missingOffset ? ", or pass --assume-zone to save" : ""
    if !conversions.isLenient, error == .notADateTime, isTimeWithoutSeconds(text) {
      others = ", or pass --lenient to save"
    } else if error == .notADateTime, CalendarDate.isResembled(by: text) {
      others = CalendarDate.hintForOtherNotations
    }
    report(slot, error.message(of: text), hint: error.hint.map { $0 + others })
    return nil
  }

  /// Returns whether the text is a datetime without seconds, such as `2026-11-20 08:30`. Its UTC
  /// offset may also be missing.
  private func isTimeWithoutSeconds(_ text: Span<UInt8>) -> Bool {
    do throws(Timestamp.ParseError) {
      _ = try Timestamp(parsing: text, by: ValueConversions(isLenient: true))
      return text.count > 10
    } catch {
      return error == .missingOffset
    }
  }
}
