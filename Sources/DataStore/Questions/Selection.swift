package import DataModel

/// The columns that a statement selects, and the cells of a row that they fill.
package struct Selection: Sendable {
  /// The representation of a value in a result row.
  package enum Form: UInt8, BitwiseCopyable, Sendable {
    /// Text, as bytes.
    case bytes
    /// A list, as text in a format that may depend on the engine.
    case list
    case integer
    case boolean
    case datetime
    case number
    /// A geopoint, in two columns of numbers.
    case point
  }

  /// The cell that a column fills, and how the value is decoded.
  package struct Target: Sendable {
    package let slot: Int32
    package let form: Form
    /// The type of a list's elements.
    package let element: ElementType
  }

  package private(set) var targets: [Target] = []
  /// The number of cells of a row.
  package private(set) var width: Int
  /// The schema of the records; nil if the statement selects other rows.
  package let schema: Schema?
  private var parts: [SQL] = []

  /// The select list, in the order of the targets.
  package var columns: SQL { SQL.list(parts) }

  /// Selects the given slots. The key is always included, and a password never is.
  package init(_ layout: TableLayout, slots: [Int], _ dialect: any Dialect) {
    let schema = layout.schema
    self.schema = schema
    width = schema.width
    let source = Scope.Source(
      layout: layout, name: "\(name: schema.name)", isSure: true, isFirst: true,
      dialect: dialect)
    for slot in Set(slots).union([schema.keySlot]).sorted() {
      add(slot, at: slot, of: source)
    }
  }

  /// Decodes columns selected by another statement, one cell for each type; none of the types takes
  /// several columns.
  package init(_ types: [FieldType]) {
    width = types.count
    schema = nil
    for (place, type) in types.enumerated() { addTarget(type, at: place) }
  }

  /// Also selects the value of a path, for a cell after those of the record.
  mutating func add(_ route: Route, at place: Int, in scope: inout Scope) throws(DataError) {
    width = max(width, place + 1)
    let source = try scope.source(behind: route.hops)
    guard route.part != .whole else { return add(route.slot, at: place, of: source) }
    if addTarget(route.type, at: place) { parts.append(source.column(of: route)) }
  }

  private mutating func add(_ slot: Int, at place: Int, of source: Scope.Source) {
    let type = source.layout.schema.type(of: slot)
    guard addTarget(type, at: place) else { return }
    if type.relation?.isMany == true {
      let list = source.dialect.list(in: source.namedLink(slot), from: source.key)
      parts.append(
        source.isSure ? list : "case when \(source.key) is not null then \(list) end")
    } else if type == .geopoint {
      parts += [source.column(slot, .latitude), source.column(slot, .longitude)]
    } else {
      parts.append(source.column(slot))
    }
  }

  @discardableResult
  private mutating func addTarget(_ type: FieldType, at place: Int) -> Bool {
    guard let form = Form(type) else { return false }
    targets.append(Target(slot: Int32(place), form: form, element: type.elementType))
    return true
  }
}

extension Selection.Form {
  fileprivate init?(_ type: FieldType) {
    switch type {
    case .id, .text, .file, .json: self = .bytes
    case .relation(let relation): self = relation.isMany ? .list : .bytes
    case .array: self = .list
    case .integer: self = .integer
    case .boolean: self = .boolean
    case .datetime: self = .datetime
    case .number: self = .number
    case .geopoint: self = .point
    case .password: return nil
    }
  }
}
