extension Catalog {
  /// Resolves a path of names that starts at a record of the schema. Also returns the path with
  /// property names replaced with field names.
  ///
  /// - Parameter suggestsNames: Whether the error for an unknown name suggests a similar name.
  package func resolvedPath(
    _ names: [String], from schema: Schema, suggestsNames: Bool = true
  ) throws(PathError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    var hops: [ResolvedPath.Hop] = []
    var path: [String] = []
    var schema = schema
    var index = 0
    // In the result of a group query, a field may have the name of a path.
    if names.count > 1, let slot = schema.slot(named: names.joined(separator: ".")) {
      let resolvedPath = ResolvedPath(
        hops: [], schema: schema, slot: slot, part: .whole, type: schema.type(of: slot))
      return (resolvedPath, FieldPath(schema.name(of: slot)))
    }
    while index < names.count {
      let name = names[index]
      defer { index += 1 }
      guard let slot = schema.slot(named: name) ?? schema.slot(ofSystemProperty: name) else {
        guard let inverse = inverse(named: names[index...], of: schema) else {
          let rest = names[index...].joined(separator: ".")
          throw .unknownField(
            PathError.isExpression(rest) ? rest : name, at: index, of: schema, in: self,
            suggestsNames: suggestsNames)
        }
        path += names[index..<index + inverse.nameCount]
        index += inverse.nameCount - 1
        hops.append(inverse.hop)
        try checkHops(hops, at: index, of: schema)
        schema = inverse.target
        guard index + 1 == names.count else { continue }
        // A path that ends with an inverse leads to the ids of the referencing records.
        let resolvedPath = ResolvedPath(
          hops: hops, schema: schema, slot: schema.keySlot, part: .whole,
          type: .relation(Relation(to: schema.name, isMany: true)))
        return (resolvedPath, FieldPath(names: path))
      }
      let type = schema.type(of: slot)
      path.append(schema.name(of: slot))
      if type == .password {
        throw PathError(
          index: index,
          message: "\(path.joined(separator: ".")) is a password, which cannot be queried",
          schema: schema.name, isSecret: true)
      }
      let rest = Array(names[(index + 1)...])
      if !rest.isEmpty, let (hop, target) = self.hop(slot, of: schema) {
        hops.append(hop)
        try checkHops(hops, at: index, of: schema)
        schema = target
        continue
      }
      if !rest.isEmpty, namesUsers(slot, of: schema) {
        throw PathError(
          index: index + 1,
          message: "\(path.joined(separator: ".")) refers to a user, but there is no user schema",
          hint: "create a user schema: datactl schema create user --user", schema: schema.name)
      }
      let (part, partType) = try ResolvedPath.Part.within(type, rest, at: index, path, of: schema)
      let resolvedPath = ResolvedPath(
        hops: hops, schema: schema, slot: slot, part: part, type: partType)
      return (resolvedPath, FieldPath(names: path + rest))
    }
    throw PathError(index: 0, message: "empty path", schema: schema.name)
  }

  /// Resolves a path that was validated earlier. Throws an error only if the schemas have changed
  /// since then.
  package func resolvedPath(_ path: FieldPath, from schema: Schema) throws(PathError)
    -> ResolvedPath
  {
    try resolvedPath(path.names, from: schema).resolvedPath
  }

  /// Resolves a path that consists only of a to-many relation, or only of the inverse of a
  /// relation. Returns the relation or inverse, and the schema of the related records.
  package func toManyHop(
    _ path: FieldPath, from schema: Schema
  ) throws(PathError) -> (hop: ResolvedPath.Hop, target: Schema) {
    let names = path.names
    if let slot = schema.slot(named: names[0]) {
      guard let (hop, target) = hop(slot, of: schema), hop.isMany, names.count == 1 else {
        throw PathError(
          index: 0,
          message: names.count > 1
            ? "\(path) is not a direct relation of \(schema.name)"
            : "\(path) is \(schema.type(of: slot).nameWithArticle), not a to-many relation",
          schema: schema.name)
      }
      return (hop, target)
    }
    guard let inverse = inverse(named: names[...], of: schema), inverse.nameCount == names.count
    else { throw .unknownField(names[0], at: 0, of: schema, in: self) }
    return (inverse.hop, inverse.target)
  }

  /// Resolves a path to a list: an array, a to-many relation or an inverse, or a value in JSON. Before
  /// the list, the path follows only to-one relations.
  package func resolvedList(
    _ path: FieldPath, from schema: Schema
  ) throws(PathError) -> ResolvedPath {
    let resolved = try resolvedPath(path, from: schema)
    let hops = resolved.endsInInverse ? resolved.hops.dropLast() : resolved.hops[...]
    guard resolved.type.isList || resolved.type == .json || resolved.endsInInverse,
      !hops.contains(where: \.isMany)
    else {
      throw PathError(
        index: 0, message: "\(path) is \(resolved.type.nameWithArticle), which has no elements",
        schema: schema.name)
    }
    return resolved
  }

  private func checkHops(
    _ hops: [ResolvedPath.Hop], at index: Int, of schema: Schema
  ) throws(PathError) {
    if hops.count > QueryLimits.maxRelationsInPath {
      throw PathError(
        index: index,
        message: "a path can follow at most \(QueryLimits.maxRelationsInPath) relations",
        schema: schema.name)
    }
    if hops.count(where: \.isMany) > QueryLimits.maxToManyInPath {
      throw PathError(
        index: index,
        message: "a path can follow at most \(QueryLimits.maxToManyInPath) to-many relations",
        schema: schema.name)
    }
  }

  /// Finds the inverse of a relation. The inverse leads from a record of `schema` to the records
  /// that reference it.
  ///
  /// The names can begin with the declared name of the inverse, or with the names of the
  /// referencing schema and of its relation, such as `subdivision.country`.
  ///
  /// - Returns: The inverse, the schema of the referencing records, and the number of names that
  ///   the inverse consists of: 1 or 2. Nil if the names do not begin with an inverse.
  package func inverse(
    named names: ArraySlice<String>, of schema: Schema
  ) -> (hop: ResolvedPath.Hop, target: Schema, nameCount: Int)? {
    guard let name = names.first else { return nil }
    func inverse(_ slot: Int, of other: Schema, _ nameCount: Int) -> (
      hop: ResolvedPath.Hop, target: Schema, nameCount: Int
    ) {
      var hop = ResolvedPath.Hop(
        slot: slot, target: other.name, isMany: true, direction: .inverse(key: schema.keySlot))
      if other.ownerSlot == slot, let position = other.positionSlot,
        !other.hiddenSlots.contains(position)
      {
        hop.positionSlot = position
      }
      return (hop, other, nameCount)
    }
    for field in relations(to: schema.name) {
      let other = schemas[field.schema]
      guard other.fields[field.slot].type.relation?.inverse == name,
        !other.hiddenSlots.contains(field.slot)
      else { continue }
      return inverse(field.slot, of: other, 1)
    }
    guard let relation = names.dropFirst().first, let other = self[name],
      let slot = other.slot(named: relation),
      other.type(of: slot).relation?.target == schema.name
    else { return nil }
    return inverse(slot, of: other, 2)
  }

  /// Returns the declared inverses of all relations to a schema, each with the schema and the slot
  /// of the relation.
  package func declaredInverses(
    of schema: Schema
  ) -> [(name: String, source: Schema, slot: Int)] {
    relations(to: schema.name).compactMap { relation in
      let other = schemas[relation.schema]
      guard !other.hiddenSlots.contains(relation.slot),
        let name = other.fields[relation.slot].type.relation?.inverse
      else { return nil }
      return (name, other, relation.slot)
    }
  }

  /// Returns the names of the inverses of all relations to a schema. An inverse without a declared
  /// name is named after the referencing schema and its relation, such as `subdivision.country`.
  package func inverseNames(of schema: Schema) -> [String] {
    relations(to: schema.name).compactMap { relation in
      let other = schemas[relation.schema]
      guard !other.hiddenSlots.contains(relation.slot) else { return nil }
      let field = other.fields[relation.slot]
      return field.type.relation?.inverse ?? "\(other.name).\(field.name)"
    }
  }

  /// Returns the relation that references a schema and declares an inverse with the given name. For
  /// example, returns `line.ord` if the relation `ord` of the schema `line` declares the inverse
  /// `lines`. Returns nil if there is no such relation.
  package func relation(withInverse name: String, of schema: Schema) -> String? {
    guard let inverse = inverse(named: [name], of: schema) else { return nil }
    return "\(inverse.target.name).\(inverse.target.name(of: inverse.hop.slot))"
  }

  private func namesUsers(_ slot: Int, of schema: Schema) -> Bool {
    slot == schema.slot(.createdBy) || slot == schema.slot(.modifiedBy)
  }

  /// Returns the relation that a path follows from a field, and its target schema; nil if the field
  /// does not reference records. `created_by` and `modified_by` reference the user schema.
  package func hop(_ slot: Int, of schema: Schema) -> (hop: ResolvedPath.Hop, target: Schema)? {
    if let relation = schema.type(of: slot).relation {
      return self[relation.target].map { target in
        (ResolvedPath.Hop(slot: slot, target: target.name, isMany: relation.isMany), target)
      }
    }
    guard namesUsers(slot, of: schema) else { return nil }
    return userSchema.map { target in
      (
        ResolvedPath.Hop(slot: slot, target: target.name, isMany: false, direction: .toUser),
        target
      )
    }
  }
}

extension Schema {
  /// Returns the slot of the system field with the given property name, such as `createdAt`.
  fileprivate func slot(ofSystemProperty name: String) -> Int? {
    SystemField.allCases.first { Names.property(for: $0.name) == name }.map { slot($0) }
      .flatMap { hiddenSlots.contains($0) ? nil : $0 }
  }
}

extension ResolvedPath.Part {
  private static let ofPoint: [(name: String, part: ResolvedPath.Part, type: FieldType)] = [
    ("lat", .latitude, .number), ("lon", .longitude, .number),
  ]

  private static let ofFile: [(name: String, part: ResolvedPath.Part, type: FieldType)] = [
    ("name", .fileName, .text), ("type", .fileType, .text), ("size", .fileSize, .integer),
    ("sha256", .fileHash, .text),
  ]

  /// Resolves the names that follow a field in a path, such as `lat` after a geopoint. Returns the
  /// selected part of the field's value, and the type of this part.
  fileprivate static func within(
    _ type: FieldType, _ names: [String], at index: Int, _ path: [String], of schema: Schema
  ) throws(PathError) -> (ResolvedPath.Part, FieldType) {
    guard let name = names.first else { return (.whole, type) }
    if type == .json { return (.keys(names), .json) }
    let parts = type == .geopoint ? ofPoint : type == .file ? ofFile : []
    let shown = path.joined(separator: ".")
    guard let part = parts.first(where: { $0.name == name }) else {
      let known = parts.map(\.name).joined(separator: ", ")
      throw PathError(
        index: index + 1,
        message: parts.isEmpty
          ? "\(shown) is \(type.nameWithArticle), which has no parts"
          : "\(shown) is \(type.nameWithArticle) and has no \(Excerpt.truncated(name)), only \(known)",
        schema: schema.name)
    }
    if names.count > 1 {
      throw PathError(
        index: index + 2,
        message: "\(shown).\(name) is \(part.type.nameWithArticle), which has no parts",
        schema: schema.name)
    }
    return (part.part, part.type)
  }
}

extension PathError {
  /// Returns the error for a name that is not a field of the schema. Its hint suggests a similar
  /// name.
  package static func unknownField(
    _ name: String, at index: Int, of schema: Schema, in catalog: Catalog? = nil,
    suggestsNames: Bool = true
  ) -> PathError {
    guard suggestsNames else {
      return PathError(
        index: index, message: "\(schema.name) has no field \(Excerpt.truncated(name))",
        schema: schema.name, isUnknownName: true)
    }
    if name.isEmpty {
      return PathError(
        index: index, message: "the name of a field of \(schema.name) is missing",
        hint: "see datactl schema show \(schema.name)", schema: schema.name)
    }
    if isExpression(name) {
      let shown = Excerpt.truncated(name)
      return PathError(
        index: index, message: messageForExpression(name, in: schema.name),
        hint:
          "name a field, or compute the value in --where, --order or --fields 'NAME = \(shown)'",
        schema: schema.name)
    }
    if schema.name == GroupQuery.resultName {
      return unknownColumn(name, at: index, of: schema)
    }
    let names =
      schema.knownSlots.map { schema.name(of: $0) } + (catalog?.inverseNames(of: schema) ?? [])
    let nearest = schema.suggestedName(for: name, among: names)
    var error = PathError(
      index: index, message: "\(schema.name) has no field \(Excerpt.truncated(name))",
      hint: nearest.map { "did you mean \($0)?" } ?? "see datactl schema show \(schema.name)",
      schema: schema.name, isUnknownName: true)
    if let (option, field) = Aggregate.option(ofColumn: name), names.contains(field) {
      error.hint = "to use this name as a column, pass --\(option) \(field)"
    }
    return error
  }

  /// Returns whether a text in place of the name of a field contains an operator or a function.
  package static func isExpression(_ text: String) -> Bool {
    text != "*" && text.utf8.contains { "()+*/".utf8.contains($0) } || text.contains(" - ")
  }

  /// Returns the message for an expression in place of a field of a schema.
  package static func messageForExpression(_ text: String, in schema: String) -> String {
    "\(Excerpt.truncated(text)) is an expression, not a field of \(schema)"
  }

  /// Returns the error for a name that is not a column of the result of a group query.
  private static func unknownColumn(
    _ name: String, at index: Int, of groups: Schema
  ) -> PathError {
    let names = groups.knownFieldNames
    var hint = "the columns are \(names.map { Excerpt.escaped($0) }.joined(separator: ", "))"
    if let (option, field) = Aggregate.option(ofColumn: name), !names.contains(name) {
      hint += "; for this one, pass --\(option) \(Excerpt.truncated(field))"
    }
    if let nearest = DataModel.nearest(name, among: names) { hint = "did you mean \(nearest)?" }
    return PathError(
      index: index, message: "the groups have no column \(Excerpt.truncated(name))", hint: hint,
      schema: groups.name)
  }
}
