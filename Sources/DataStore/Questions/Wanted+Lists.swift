package import DataModel

/// Tests of what may hold several values.
extension Wanted {
  /// The test of the list of ids behind a to-many relation.
  func test(linksOf from: Scope.Source, _ slot: Int) -> SQL {
    switch criterion {
    case .isNull: return from.isSure ? "false" : "\(from.key) is null"
    case .isEmpty:
      let link = from.namedLink(slot)
      let none: SQL = "not exists (select 1 from \(link) where source = \(from.key))"
      return from.isSure ? none : "(\(from.key) is not null and \(none))"
    case .contains(let id): return Wanted(.compare(.equal, id), dialect).anyTarget(of: from, slot)
    case .compare, .comparePath, .isIn, .between, .like, .withinCircle, .withinBox:
      return anyTarget(of: from, slot)
    }
  }

  /// Whether an index leads to the records that are as wanted, so that it is better to begin with
  /// them than with those which refer to them.
  func isSearched(at route: Route) -> Bool {
    guard route.part == .whole, route.schema.hasIndex(beginningWith: route.slot) else {
      return false
    }
    switch criterion {
    case .compare(.equal, _), .isIn: return true
    case .compare, .comparePath, .between, .like, .contains, .isNull, .isEmpty, .withinCircle,
      .withinBox:
      return false
    }
  }

  /// Whether one of the ids behind a to-many relation is as wanted.
  ///
  /// Given ids are looked up in the index that leads from a record to those which refer to it.
  func anyTarget(of from: Scope.Source, _ slot: Int) -> SQL {
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

  /// The test of an array.
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

  /// The test of what stands under keys in JSON.
  func test(json column: SQL, under keys: [String]) -> SQL {
    dialect.test(json: column, under: keys, self)
  }
}

extension FieldType {
  /// Whether a value is one that a field of the type can have and be compared with.
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

  /// Whether its values are texts: ids are.
  package var isText: Bool { self == .id || self == .text || relation?.isMany == false }

  /// Whether values of both types have an order beside each other.
  package func compares(with other: FieldType) -> Bool {
    let isNumeric = self == .integer || self == .number
    return isText && other.isText || isNumeric && (other == .integer || other == .number)
      || self == other && isOrdered
  }
}
