/// The beginning of a condition, up to the word that is being completed.
package protocol IncompleteCondition {
  init(of condition: String)

  /// The part of the condition that is being typed: the beginning of a path, or the beginning of a
  /// value, including an opening quotation mark.
  var typed: String { get }
  /// The part that is being typed, without quotation marks.
  var text: String { get }
  /// The path of the field that is compared with the typed value, such as `state` in
  /// `done and state = 'op` or `state in ('a', '`. Nil if the typed part is not a value.
  var field: [String]? { get }
  /// The relations that lead from the schema of the condition to the schema whose fields can be
  /// named inside the open brackets. For `any towns (na`, this is `["towns"]`.
  var path: [String] { get }
  /// Whether only a to-many relation can follow, as after `any` and `count(`.
  var expectsRelation: Bool { get }
}
