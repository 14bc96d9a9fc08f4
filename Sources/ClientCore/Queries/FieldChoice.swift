package import Conditions
package import DataModel
package import DataOutput
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
  /// The columns are in the order of the list. The primary key is the first one, and expanded
  /// relations are the last ones, unless the list names them.
  ///
  /// - Parameters:
  ///   - format: The format in which the columns are printed. With `lines`, the list must name a
  ///     single column, and only this column is printed.
  ///   - omitsSystemFields: Whether system fields are left out if the list is nil.
  package init(
    _ list: String?, of schema: Schema, in catalog: Catalog, expanding expansion: Expansion,
    by reader: ConditionReader, as format: OutputFormat? = nil, omitsSystemFields: Bool = false
  ) throws(DataError) {
    var reader = reader
    var columns: [NamedExpression] = []
    var omitted: [Int] = []
    // The fields that the list selects without naming them, and the number of columns before them.
    var (others, othersIndex): ([Int], Int) = ([], 0)
    if let list, list.hasComputedColumns {
      let fields = try reader.readFields(list, of: schema)
      columns = fields.columns
      // The primary key is always printed.
      omitted = fields.omittedSlots.filter { $0 != schema.keySlot }
      if let index = fields.declaredFieldsIndex {
        (others, othersIndex) = (schema.printedSlots(omitsSystemFields: true), index)
      } else if !fields.omittedSlots.isEmpty, !columns.contains(where: \.isPath) {
        // If the list contains only fields to leave out, all other fields are selected.
        others = schema.printedSlots
      }
    } else if let list {
      columns = list.fieldNames.map { NamedExpression(FieldPath(dotted: $0)) }
    } else {
      others = schema.printedSlots(omitsSystemFields: omitsSystemFields)
    }
    let computed = columns.filter { !$0.isPath }
    let computedStart = schema.width + expansion.inverses.count
    let pathStart = computedStart + computed.count
    var problems: [Problem] = []
    var paths: [FieldPath] = []
    var types: [FieldType] = []
    // The slots of the columns that the list names.
    var named: [Int] = []
    var computedCount = 0
    // A query with more paths is an error.
    for column in columns where paths.count <= QueryLimits.maxColumns {
      guard column.isPath, case .path(let path) = column.expression else {
        named.append(computedStart + computedCount)
        computedCount += 1
        continue
      }
      do throws(DataError) {
        guard path.names.count > 1 else {
          let inverse = expansion.inverses.firstIndex { $0.name == path.names[0] }
          let slot =
            if let inverse { schema.width + inverse } else {
              try schema.printedSlot(named: path.names[0])
            }
          named.append(slot)
          continue
        }
        let (path, type) = try catalog.joinedField(path, of: schema)
        named.append(pathStart + (paths.firstIndex(of: path) ?? paths.count))
        if paths.contains(path) { continue }
        paths.append(path)
        types.append(type)
      } catch {
        problems += error.problems.map { catalog.addingInverseHint(to: $0, path, of: schema) }
      }
    }
    if let error = DataError(problems) { throw error }
    for path in schema.printedSlots.flatMap({ expansion.flattened[$0] ?? [] })
    where !paths.contains(path) {
      let (path, type) = try catalog.joinedField(path, of: schema)
      paths.append(path)
      types.append(type)
    }
    let resolved = try catalog.resolved(computed.map(\.expression), from: schema)
    let key = named.contains(schema.keySlot) || format == .lines ? [] : [schema.keySlot]
    let namesAll = others.isEmpty && !named.isEmpty
    others.removeAll { named.contains($0) }
    let listed = key + named.prefix(othersIndex) + others + named.dropFirst(othersIndex)
    let selected =
      listed.filter { !omitted.contains($0) }
      + schema.printedSlots.filter(expansion.slots.contains) + (schema.width..<computedStart)
    slots = schema.printedSlots.filter { $0 == schema.keySlot || selected.contains($0) }
    joinedFields = paths
    self.computed = (expansion.inverses + computed).map(\.expression)
    let furtherColumns =
      expansion.inverseColumns(of: schema)
      + zip(computed, resolved).enumerated().map { index, column in
        RecordWriter.Column(column.0.name, column.1.type, slot: computedStart + index)
      }
      + zip(paths, types).enumerated().map { index, column in
        RecordWriter.Column(column.0.description, column.1, slot: pathStart + index)
      }
    // An array takes less time than a set: Swift would search all protocol conformances of the
    // program at run time to create the type of the set's storage.
    var isPrinted = Array(repeating: false, count: pathStart + paths.count)
    self.columns = selected.flatMap { slot in
      expansion.flattened[slot]?.compactMap { path in
        paths.firstIndex(of: path).map { pathStart + $0 }
      } ?? [slot]
    }.compactMap { slot in
      if isPrinted[slot] { return nil }
      isPrinted[slot] = true
      return slot < schema.width ? schema.column(slot) : furtherColumns[slot - schema.width]
    }
    if format == .lines, !namesAll || self.columns.count != 1 {
      throw DataError(
        .usage, "-o lines prints a single column",
        hint: "pass --fields with one field or computed column")
    }
  }

  /// Returns a copy of the query that selects these columns.
  package func selected(by query: Query) -> Query {
    var query = query
    query.slots = slots
    query.joinedFields = joinedFields
    query.computed = computed
    return query
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
