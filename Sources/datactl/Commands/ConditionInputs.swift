import ClientCore
import CommandSyntax
import Conditions
import DataModel
import JSONText

/// The options that select records by a condition. Several commands share them.
enum ConditionInputs {
  static let all: [Input<QueryInput>] = [
    .repeatedOption(
      "--where", \.conditions, value: "CONDITION", kind: .condition,
      """
      Select records that match this condition. If several conditions are given, records must \
      match all of them. See `datactl help conditions`.
      """),
    .repeatedOption(
      "--param", \.parameters, value: "NAME=VALUE",
      """
      Set the parameter `:NAME` of a condition. The value is parsed according to the type of the \
      field that the parameter is compared with. To set a JSON value, write `NAME:=JSON`.
      """, parse: parameters),
    .timeZone(
      "--zone", \.zone,
      """
      The time zone, such as `Europe/Zurich`, that determines the day and the hour of a datetime. \
      By default, it is UTC. For example, the zone affects the conditions `due on 2026-11-20` and \
      `month(due) = 11`.
      """),
  ]

  private static func parameters(
    _ arguments: [String]
  ) throws(UsageError) -> [String: ConditionParameters.Argument] {
    guard arguments.count <= ConditionParameters.maxCount else {
      throw UsageError(
        "--param: at most \(ConditionParameters.maxCount.grouped) parameters are possible, "
          + "found \(arguments.count.grouped)")
    }
    var values: [String: ConditionParameters.Argument] = [:]
    for argument in arguments {
      let (name, value) = try parameter(argument)
      guard values.updateValue(value, forKey: name) == nil else {
        throw UsageError("--param: \(Excerpt.escaped(name)) is given twice")
      }
    }
    return values
  }

  private static func parameter(
    _ argument: String
  ) throws(UsageError) -> (name: String, value: ConditionParameters.Argument) {
    let bytes = Array(argument.utf8)
    guard let equalSign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
      throw invalidParameter(argument)
    }
    let text = String(decoding: bytes[(equalSign + 1)...], as: UTF8.self)
    let isJSON = equalSign > 0 && bytes[equalSign - 1] == UInt8(ascii: ":")
    let name = String(decoding: bytes[..<(isJSON ? equalSign - 1 : equalSign)], as: UTF8.self)
    guard !name.isEmpty else { throw invalidParameter(argument) }
    guard isJSON else { return (name, .text(text)) }
    do throws(DataError) {
      return (name, .json(try JSONValue(parsing: text)))
    } catch {
      throw UsageError(
        "--param: the value of \(Excerpt.escaped(name)) is not valid JSON: "
          + error.problems[0].message,
        hint: "write text in double quotes: \(name):='\"text\"'")
    }
  }

  private static func invalidParameter(_ argument: String) -> UsageError {
    UsageError(
      "--param: expected NAME=VALUE or NAME:=JSON, found \(Excerpt.quoted(argument))",
      hint: "use NAME:=JSON for values in json fields")
  }
}
