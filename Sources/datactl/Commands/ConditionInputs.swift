import CommandSyntax
import DataModel
import DataText

/// The options that select records by condition, shared by several commands.
enum ConditionInputs {
  static let conditions = Input.repeatedOption(
    "--where", value: "CONDITION", kind: .condition,
    "Select records that match a condition; may be repeated, all must match. See `conditions`.")

  static let parameters = Input.repeatedOption(
    "--param", value: "NAME=VALUE",
    """
    Set the value of `:NAME` in a condition, as a text that is parsed by the type of the field it \
    is compared with; `NAME:=JSON` sets it as JSON.
    """
  ).map { words throws(UsageError) in
    var values: [String: ConditionParameters.Given] = [:]
    for word in words {
      let (name, value) = try parameter(word)
      guard values.updateValue(value, forKey: name) == nil else {
        throw UsageError("--param: \(Excerpt.visible(name)) is given twice")
      }
    }
    return values
  }

  private static func parameter(
    _ word: String
  ) throws(UsageError) -> (name: String, value: ConditionParameters.Given) {
    let bytes = Array(word.utf8)
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { throw noParameter(word) }
    let text = String(decoding: bytes[(sign + 1)...], as: UTF8.self)
    let isJSON = sign > 0 && bytes[sign - 1] == UInt8(ascii: ":")
    let name = String(decoding: bytes[..<(isJSON ? sign - 1 : sign)], as: UTF8.self)
    guard !name.isEmpty else { throw noParameter(word) }
    guard isJSON else { return (name, .text(text)) }
    do throws(DataError) {
      return (name, .json(try JSONValue(parsing: text)))
    } catch {
      throw UsageError(
        "--param: \(Excerpt.visible(name)) is not valid JSON: \(error.problems[0].message)",
        hint: "write a text in double quotes: \(name):='\"text\"'")
    }
  }

  private static func noParameter(_ word: String) -> UsageError {
    UsageError(
      "--param: not a parameter: \(Excerpt.quoted(word))",
      hint: "write --param NAME=VALUE, or NAME:=JSON")
  }
}
