package import Conditions
package import DataModel
import DataOutput
package import RecordText

/// The columns to print: fields of the selected records, fields of related records, and computed
/// values.
package struct FieldChoice {
  /// The slots (field indexes) of the selected records' own fields, in the order of the schema.
  package let slots: [Int]
  /// The paths to the fields of related records, in the order in which they were given.
  package let joinedFields: [FieldPath]
  /// The expressions of the computed columns: first the columns of expanded inverse relations, then
  /// the columns that the user gave, in order.
  package let computed: [Expression]
  package let columns: [RecordWriter.Column]

  /// Parses a comma-separated list of field names, paths and computed columns. If the list is nil,
  /// selects the fields that are printed by default. The primary key and expanded relations are
  /// always selected.
  ///
  /// - Parameter omitsSystemFields: Whether system fields are left out if the list is nil.
  package init(
    _ list: String?, of schema: Schema, in catalog: Catalog, expanding expansion: Expansion,
    by reader: ConditionReader, omitsSystemFields: Bool = false
  ) throws(DataError) {
    // An array takes less time than a set: Swift would search all protocol conformances of the
    // program at run time to create the type of the set's storage.
    var isSelected = Array(repeating: false, count: schema.width + expansion.inverses.count)
    var reader = reader
    var columns: [NamedExpression] = []
    var omittedSlots: [Int] = []
    if let list, list.hasComputedColumns {
      let fields = try reader.readFields(list, of: schema)
      columns = fields.columns
      omittedSlots = fields.omittedSlots
      // If the list contains only fields to leave out, all other fields are selected.
      if !omittedSlots.isEmpty, !columns.contains(where: \.isPath), !fields.includesDeclaredFields {
        for slot in 0..<schema.width { isSelected[slot] = true }
      }
      if fields.includesDeclaredFields {
        for slot in schema.fields.indices { isSelected[slot] = true }
      }
      if let visibility = schema.visibility {
        for slot in visibility.hiddenSlots { isSelected[slot] = false }
      }
    } else if let list {
      columns = list.fieldNames.map { NamedExpression(FieldPath(dotted: $0)) }
    } else {
      for slot in schema.printedSlots(omitsSystemFields: omitsSystemFields) {
        isSelected[slot] = true
      }
    }
    var problems: [Problem] = []
    var paths: [FieldPath] = []
    var types: [FieldType] = []
    // A query with more paths is an error.
    for column in columns where column.isPath && paths.count <= QueryLimits.maxColumns {
      guard case .path(let path) = column.expression else { continue }
      do throws(DataError) {
        guard path.names.count > 1 else {
          let slot = try schema.printedSlot(named: path.names[0])
          isSelected[slot] = true
          continue
        }
        let (path, type) = try catalog.joinedField(path, of: schema)
        if paths.contains(path) { continue }
        paths.append(path)
        types.append(type)
      } catch {
        problems += error.problems.map { catalog.addingInverseHint(to: $0, path, of: schema) }
      }
    }
    if let error = DataError(problems) { throw error }
    for slot in omittedSlots { isSelected[slot] = false }
    for slot in [schema.keySlot] + expansion.slots { isSelected[slot] = true }
    let computed = columns.filter { !$0.isPath }
    for path in schema.printedSlots.flatMap({ expansion.flattened[$0] ?? [] })
    where !paths.contains(path) {
      let (path, type) = try catalog.joinedField(path, of: schema)
      paths.append(path)
      types.append(type)
    }
    let resolved = try catalog.resolved(computed.map(\.expression), from: schema)
    self.init(
      schema.printedSlots.filter { isSelected[$0] },
      zip(computed, resolved).map { ComputedColumn(column: $0, type: $1.type) }, paths, types,
      of: schema, expansion)
  }

  /// A computed column and the type of its values.
  private struct ComputedColumn {
    var column: NamedExpression
    var type: FieldType
  }

  /// Returns a copy of the query that selects these columns.
  package func selected(by query: Query) -> Query {
    var query = query
    query.slots = slots
    query.joinedFields = joinedFields
    query.computed = computed
    return query
  }

  private init(
    _ slots: [Int], _ computed: [ComputedColumn], _ paths: [FieldPath], _ types: [FieldType],
    of schema: Schema, _ expansion: Expansion
  ) {
    let computedStart = schema.width + expansion.inverses.count
    self.slots = slots
    joinedFields = paths
    self.computed = (expansion.inverses + computed.map(\.column)).map(\.expression)
    let pathColumns = paths.indices.map { index in
      RecordWriter.Column(
        paths[index].description, types[index], slot: computedStart + computed.count + index)
    }
    let flattened = Set(expansion.flattened.values.joined())
    columns =
      slots.flatMap { slot in
        guard let fields = expansion.flattened[slot] else { return [schema.column(slot)] }
        return fields.compactMap { field in paths.firstIndex(of: field).map { pathColumns[$0] } }
      }
      + zip(paths, pathColumns).filter { !flattened.contains($0.0) }.map(\.1)
      + computed.indices.map { index in
        RecordWriter.Column(
          computed[index].column.name, computed[index].type, slot: computedStart + index)
      } + expansion.inverseColumns(of: schema)
  }
}

extension NamedExpression {
  /// Whether the column is a field or a path, such as `owner.name`, and is named after it.
  fileprivate var isPath: Bool {
    if case .path(let path) = expression { name == path.description } else { false }
  }
}

extension String {
  /// The names in a comma-separated list, without surrounding spaces.
  package var fieldNames: [String] {
    split(separator: ",", omittingEmptySubsequences: false).map { name in
      var name = name
      while name.first == " " { name.removeFirst() }
      while name.last == " " { name.removeLast() }
      return String(name)
    }
  }
}

extension Catalog {
  /// Adds a hint to the problem of a path that cannot be printed, and returns the problem. If the
  /// path begins with the inverse of a relation, the hint is to pass the inverse to `--expand`.
  fileprivate func addingInverseHint(
    to problem: Problem, _ path: FieldPath, of schema: Schema
  ) -> Problem {
    let name = path.names[0]
    guard let relation = relation(withInverse: name, of: schema) else { return problem }
    var problem = problem
    problem.hint =
      "\(name) is the inverse of \(relation): to print its records, pass --expand \(name)"
    return problem
  }

  /// Validates a path to a field that is reached through to-one relations, such as `owner.name`.
  /// Returns the path and the type of the field.
  fileprivate func joinedField(
    _ written: FieldPath, of schema: Schema
  ) throws(DataError) -> (path: FieldPath, type: FieldType) {
    let path: FieldPath
    do throws(PathError) {
      path = try resolvedPath(written.names, from: schema).path
    } catch {
      throw DataError(error)
    }
    let resolvedPath = try Query(schema, joinedFields: [path]).joinedPaths(in: self)[0]
    return (path, resolvedPath.type)
  }
}

extension Schema {
  /// Returns the slots (indexes) of the fields in a comma-separated list, such as the value of
  /// `--by`. Records are looked up by the values of these fields.
  package func identifyingSlots(_ list: String) throws(DataError) -> [Int] {
    var slots: [Int] = []
    for name in list.fieldNames { slots.append(try printedSlot(named: name)) }
    return slots
  }
}
