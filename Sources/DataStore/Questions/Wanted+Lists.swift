package import DataModel

/// Predicates on lists: to-many relations, arrays and JSON.
extension ColumnPredicate {
  /// The predicate for the list of ids of a to-many relation.
  func test(linksIn from: FromClause.Source, _ slot: Int) -> SQL {
    switch criterion {
    case .isNull: return from.alwaysExists ? "false" : "\(from.key) is null"
    case .isEmpty:
      let link = from.aliasedLink(slot)
      let none: SQL = "not exists (select 1 from \(link) where source = \(from.key))"
      return from.alwaysExists ? none : "(\(from.key) is not null and \(none))"
    case .contains(let id):
      return ColumnPredicate(.compare(.equal, id), dialect).anyTarget(of: from, slot)
    case .compare, .comparePath, .isIn, .between, .like, .withinCircle, .withinBox:
      return anyTarget(of: from, slot)
    }
  }

  /// Whether an index finds the matching target records, so that it is faster to start from them
  /// than from the referring records.
  func prefersTargetIndex(at resolvedPath: ResolvedPath) -> Bool {
    guard resolvedPath.part == .whole,
      resolvedPath.schema.hasIndex(beginningWith: resolvedPath.slot)
    else {
      return false
    }
    switch criterion {
    case .compare(.equal, _), .isIn: return true
    case .compare, .comparePath, .between, .like, .contains, .isNull, .isEmpty, .withinCircle,
      .withinBox:
      return false
    }
  }

  /// The predicate that at least one id of a to-many relation matches.
  ///
  /// Given ids are looked up in the index of the link table by target.
  func anyTarget(of from: FromClause.Source, _ slot: Int) -> SQL {
    switch criterion {
    case .isNull, .isEmpty, .withinCircle, .withinBox: return "false"
    case .compare(.equal, _), .isIn:
      return
        """
        \(from.key) in (select source from \(from.layout.link(slot)) \
        where \(test(column: "target", of: .text)))
        """
    case .compare, .comparePath, .between, .like, .contains:
      return """
        exists (select 1 from \(from.link(slot)) as _link where _link.source = \(from.key) \
        and \(test(column: "_link.target", of: .text)))
        """
    }
  }

  /// The predicate for an array.
  func test(array column: SQL, of element: ElementType) -> SQL {
    switch criterion {
    case .isNull: return "\(column) is null"
    case .isEmpty: return "\(column) = \(dialect.emptyArray)"
    case .compare(.equal, let value), .contains(let value):
      guard element.fieldType.holds(value) else { return "false" }
      return dialect.test(array: column, of: element, self)
    case .compare, .comparePath, .isIn, .between, .like, .withinCircle, .withinBox:
      return dialect.test(array: column, of: element, self)
    }
  }

  /// The predicate for the value at a key path in JSON.
  func test(json column: SQL, under keys: [String]) -> SQL {
    dialect.test(json: column, under: keys, self)
  }
}

extension FieldType {
  /// Whether fields of the type can be compared with a value.
  package func holds(_ value: Value) -> Bool {
    switch value {
    case .text: isText
    case .integer, .number: self == .integer || self == .number
    case .boolean: self == .boolean
    case .datetime: self == .datetime
    case .geopoint: self == .geopoint
    case .file: self == .file
    case .null, .json, .list: false
    }
  }

  /// Whether the values are text, which includes ids.
  package var isText: Bool { self == .id || self == .text || relation?.isMany == false }

  /// Whether values of the two types can be ordered relative to each other.
  package func compares(with other: FieldType) -> Bool {
    let isNumeric = self == .integer || self == .number
    return isText && other.isText || isNumeric && (other == .integer || other == .number)
      || self == other && isOrdered
  }
}
