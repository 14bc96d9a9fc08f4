/// A step of an XML path that chooses elements by the value of an attribute, such as
/// `link[@rel='alternate']`.
///
/// Such an element is a member with this step as its name. The attribute is not part of its value.
package struct XMLChoice: Sendable {
  package let element: String
  /// The name of the attribute, with `@`.
  package let attribute: String
  package let value: String

  /// Parses the name of a member. Returns nil for other names.
  package init?(_ name: String) {
    guard name.utf8.last == UInt8(ascii: "]") else { return nil }
    var rest = name[...]
    element = XMLName.take(from: &rest)
    guard rest.hasPrefix("[@") else { return nil }
    rest.removeFirst()
    attribute = XMLName.take(from: &rest)
    value = String(rest.dropFirst(2).dropLast(2))
  }

  /// Returns the name of the step. Returns nil if the value contains both kinds of quotes.
  static func name(_ element: String, _ attribute: String, _ value: String) -> String? {
    let quote = value.utf8.contains(UInt8(ascii: "'")) ? "\"" : "'"
    if quote == "\"", value.utf8.contains(UInt8(ascii: "\"")) { return nil }
    return "\(element)[\(attribute)=\(quote)\(value)\(quote)]"
  }

  /// Returns an element with the name of the step that chooses it by the value of an attribute, and
  /// without this attribute. Returns the unchanged element if it does not have the attribute.
  static func chosen(_ member: ForeignValue.Member, by attribute: String) -> ForeignValue.Member {
    guard case .object(var members) = member.value.content,
      let index = members.firstIndex(where: { $0.isNamed(attribute) }),
      let value = members[index].value.scalarText,
      let name = name(member.name, attribute, value)
    else { return member }
    members.remove(at: index)
    var element = ForeignValue(.object(members), line: member.value.line)
    if members.isEmpty {
      element.content = .text("")
    } else if members.count == 1, members[0].isNamed(MapPath.text) {
      element.content = members[0].value.content
    }
    return ForeignValue.Member(name, element)
  }
}
