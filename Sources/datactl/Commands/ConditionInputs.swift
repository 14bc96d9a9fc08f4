import CommandSyntax
import DataModel

/// What several commands take to choose records.
enum ConditionInputs {
  static let conditions = Input.repeatedOption(
    "--where", value: "CONDITION", kind: .condition,
    "Choose the records that meet a condition; several must all hold. See `conditions`.")

  static let parameters = Input.repeatedOption(
    "--param", value: "NAME=VALUE", "Give the value of `:NAME` in a condition."
  ).map { words throws(UsageError) in
    var values: [String: String] = [:]
    for word in words {
      guard let sign = word.firstIndex(of: "="), sign != word.startIndex else {
        throw UsageError(
          "--param: \(Excerpt.quoted(word)) is no parameter", hint: "write --param NAME=VALUE")
      }
      let name = String(word[..<sign])
      guard values.updateValue(String(word[word.index(after: sign)...]), forKey: name) == nil else {
        throw UsageError("--param: \(Excerpt.visible(name)) is given twice")
      }
    }
    return values
  }
}
