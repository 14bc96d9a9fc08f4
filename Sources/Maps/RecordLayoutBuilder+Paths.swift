import DataModel
import JSONText

/// Builds a tree of the names in all paths of the map. Documents are read and written with this
/// tree.
extension RecordLayoutBuilder {
  mutating func insert(
    _ content: RecordLayout.Content, _ steps: ArraySlice<MapPath.Step>, at placed: Placed,
    in group: inout RecordLayout.Group
  ) {
    guard case .name(let name)? = steps.first else { return }
    if map.format == .xml, let choice = XMLChoice(name), !group.add(choice) {
      return report(
        "another path chooses the element \(choice.element) by another attribute: "
          + Excerpt.quoted(map.shown(name)), placed.field.line, field: placed.name)
    }
    let rest = steps.dropFirst()
    let index = group.index(of: name)
    let isLeaf = rest.isEmpty || rest.first == .elements || rest.first == .entries
    if isLeaf {
      let leaf = leaf(content, rest)
      guard let index else {
        group.append(
          RecordLayout.Node(
            name: name, content: leaf, line: placed.field.line, isByRule: placed.isByRule,
            alias: placed.alias))
        return
      }
      if case .extra(nil) = content, rest.isEmpty, var inner = group.takeGroup(at: index) {
        inner.ignoresOthers = true
        group.nodes[index].content = .group(inner)
        return
      }
      // An XML element can have both text and attributes.
      if map.format == .xml, rest.isEmpty, name != MapPath.text,
        !isCompound(content), var inner = group.takeGroup(at: index)
      {
        insert(content, [.name(MapPath.text)], at: placed, in: &inner)
        group.nodes[index].content = .group(inner)
        return
      }
      return reportConflict(placed, group.nodes[index])
    }
    guard let index else {
      var inner = RecordLayout.Group()
      insert(content, rest, at: placed, in: &inner)
      group.append(
        RecordLayout.Node(
          name: name, content: .group(inner), line: placed.field.line, isByRule: placed.isByRule))
      return
    }
    if var inner = group.takeGroup(at: index) {
      insert(content, rest, at: placed, in: &inner)
      group.nodes[index].content = .group(inner)
      return
    }
    switch group.nodes[index].content {
    case .value, .second, .alternative, .extra:
      guard map.format == .xml, !isCompound(group.nodes[index].content) else {
        return reportConflict(placed, group.nodes[index])
      }
      var inner = RecordLayout.Group()
      inner.append(group.nodes[index].asText)
      insert(content, rest, at: placed, in: &inner)
      group.nodes[index].content = .group(inner)
    case .elements, .entries, .group: reportConflict(placed, group.nodes[index])
    }
  }

  /// Returns the content of the node for a name in a path: `content`, unless it is a value and `[]`
  /// or `{}` follows the name. Such a value becomes an array (`[]`) or an object whose values are
  /// records (`{}`).
  ///
  /// - Parameter rest: The steps of the path after the name.
  private func leaf(
    _ content: RecordLayout.Content, _ rest: ArraySlice<MapPath.Step>
  ) -> RecordLayout.Content {
    guard let list = rest.first, case .value(let binding) = content else { return content }
    if list == .entries { return .entries(binding) }
    return .elements(
      binding,
      path: rest.dropFirst().compactMap { if case .name(let name) = $0 { name } else { nil } })
  }

  /// Inserts a path into the tree of names below `root`. The map does not assign this path to a
  /// field.
  mutating func insert(
    _ extra: (path: MapPath, value: JSONValue?, line: Int), in root: inout RecordLayout.Group
  ) {
    let field = DataMap.MappedField(selector: .name(""), line: extra.line)
    let placed = Placed(field: field, name: extra.path.text(map.format), path: extra.path)
    insert(.extra(extra.value), extra.path.steps[...], at: placed, in: &root)
  }

  /// Reports paths that lead into an element whose content is a text (`xml_text`), or that choose
  /// among such elements.
  mutating func checkMarkup(in group: RecordLayout.Group) {
    func isMarkup(_ content: RecordLayout.Content) -> Bool {
      switch content {
      case .value(let index), .elements(let index, _):
        return bindings[index].converter.form == .xmlText
      case .group(let inner):
        return inner.index(of: MapPath.text).map { isMarkup(inner.nodes[$0].content) } ?? false
      case .second, .alternative, .entries, .extra: return false
      }
    }
    let text = group.index(of: MapPath.text)
    let isText = text.map { isMarkup(group.nodes[$0].content) } ?? false
    for (index, node) in group.nodes.enumerated() {
      let isInside = isText && index != text && !node.name.hasPrefix("@")
      if isInside || isMarkup(node.content) && group.choices[node.name] != nil {
        report(
          "xml_text is the whole content of an element, but another path leads into it or chooses "
            + "the element by an attribute: \(Excerpt.quoted(map.shown(node.name)))", node.line,
          field: name(of: node.content))
      }
      if case .group(let inner) = node.content { checkMarkup(in: inner) }
    }
  }

  /// Whether a mapped value is an XML element with attributes or child elements of its own. If so,
  /// no other fields can be in this element.
  private func isCompound(_ content: RecordLayout.Content) -> Bool {
    switch content {
    case .extra(.object), .extra(.array): true
    case .value(let index), .alternative(let index): bindings[index].isElement
    case .extra, .second, .elements, .entries, .group: false
    }
  }

  private mutating func reportConflict(_ placed: Placed, _ node: RecordLayout.Node) {
    let other = name(of: node.content) ?? node.name
    let place = Excerpt.quoted(placed.path?.text(map.format) ?? node.name)
    let message =
      placed.isByRule || node.isByRule
      ? "the rule for names gives \(placed.isByRule ? placed.name : other) the path of "
        + "\(placed.isByRule ? other : placed.name): \(place)"
      : "the path is also used by \(other): \(place)"
    report(message, max(placed.field.line, node.line), field: placed.name)
  }

  private mutating func reportContainerConflict(_ node: RecordLayout.Node) {
    report(
      "the path of the fields that are not listed is also used by "
        + "\(name(of: node.content) ?? node.name): \(Excerpt.quoted(node.name))", node.line)
  }

  private func name(of content: RecordLayout.Content) -> String? {
    guard let index = content.firstField else { return "an extra value" }
    return bindings.indices.contains(index) ? bindings[index].field : nil
  }

  mutating func markContainer(
    _ steps: ArraySlice<MapPath.Step>, in group: inout RecordLayout.Group
  ) {
    guard case .name(let name)? = steps.first else {
      group.hasOtherFields = true
      return
    }
    let index = group.index(of: name)
    var inner = RecordLayout.Group()
    if let index {
      let node = group.nodes[index]
      switch node.content {
      case .group(let found): inner = found
      case .value, .second, .alternative, .extra:
        if map.format == .xml, !isCompound(node.content) {
          inner.append(node.asText)
        } else {
          return reportContainerConflict(node)
        }
      case .elements, .entries: return reportContainerConflict(node)
      }
    }
    markContainer(steps.dropFirst(), in: &inner)
    if let index {
      group.nodes[index].content = .group(inner)
    } else {
      group.append(
        RecordLayout.Node(
          name: name, content: .group(inner), line: fieldMap.line, isByRule: true))
    }
  }
}

extension RecordLayout.Node {
  /// A copy of the node with the name `text()`, for an XML element that contains mapped text and
  /// also mapped attributes or child elements.
  fileprivate var asText: RecordLayout.Node {
    RecordLayout.Node(name: MapPath.text, content: content, line: line, isByRule: isByRule)
  }
}
