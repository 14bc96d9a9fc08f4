extension Catalog {
  /// Resolves a list of names, starting at a record of the schema. Property names are replaced by
  /// field names.
  package func route(
    _ names: [String], from schema: Schema
  ) throws(PathFault) -> (route: Route, path: FieldPath) {
    var hops: [Route.Hop] = []
    var path: [String] = []
    var schema = schema
    for (place, name) in names.enumerated() {
      guard let slot = schema.slot(named: name) ?? schema.slot(ofSystemProperty: name) else {
        throw .unknownField(name, at: place, of: schema)
      }
      let type = schema.type(of: slot)
      path.append(schema.name(of: slot))
      if type == .password {
        throw PathFault(
          place: place, message: "\(path.joined(separator: ".")) is a password, which stays secret",
          schema: schema.name, isSecret: true)
      }
      let rest = Array(names[(place + 1)...])
      if !rest.isEmpty, let (hop, target) = self.hop(slot, of: schema) {
        hops.append(hop)
        if hops.count > QuestionSize.mostRelationsInPath {
          throw PathFault(
            place: place,
            message: "a path follows at most \(QuestionSize.mostRelationsInPath) relations",
            schema: schema.name)
        }
        if hops.count(where: \.isMany) > QuestionSize.mostToManyInPath {
          throw PathFault(
            place: place,
            message:
              "a path follows at most \(QuestionSize.mostToManyInPath) to-many relations",
            schema: schema.name)
        }
        schema = target
        continue
      }
      if !rest.isEmpty, namesUsers(slot, of: schema) {
        throw PathFault(
          place: place + 1,
          message: "\(path.joined(separator: ".")) refers to a user, and there is no user schema",
          hint: "create one: datactl schema create user --user", schema: schema.name)
      }
      let (part, partType) = try Route.Part.within(type, rest, at: place, path, of: schema)
      let route = Route(hops: hops, schema: schema, slot: slot, part: part, type: partType)
      return (route, FieldPath(names: path + rest))
    }
    throw PathFault(place: 0, message: "empty path", schema: schema.name)
  }

  /// Resolves a validated path against the current schemas.
  package func route(_ path: FieldPath, from schema: Schema) throws(PathFault) -> Route {
    try route(path.names, from: schema).route
  }

  private func namesUsers(_ slot: Int, of schema: Schema) -> Bool {
    slot == schema.slot(.createdBy) || slot == schema.slot(.modifiedBy)
  }

  /// Returns the relation for a field that references records, with its target schema; nil for
  /// other fields. The system fields for users reference the user schema.
  package func hop(_ slot: Int, of schema: Schema) -> (hop: Route.Hop, target: Schema)? {
    if let relation = schema.type(of: slot).relation {
      return self[relation.target].map { target in
        (Route.Hop(slot: slot, target: target.name, isMany: relation.isMany), target)
      }
    }
    guard namesUsers(slot, of: schema) else { return nil }
    return userSchema.map { target in
      (Route.Hop(slot: slot, target: target.name, isMany: false, isOfSystem: true), target)
    }
  }
}

extension Schema {
  /// Returns the slot of the system field with the given property name.
  fileprivate func slot(ofSystemProperty name: String) -> Int? {
    SystemField.allCases.first { Names.property(for: $0.name) == name }.map { slot($0) }
  }
}

extension Route.Part {
  private static let ofPoint: [(name: String, part: Route.Part, type: FieldType)] = [
    ("lat", .latitude, .number), ("lon", .longitude, .number),
  ]

  private static let ofFile: [(name: String, part: Route.Part, type: FieldType)] = [
    ("name", .fileName, .text), ("type", .fileType, .text), ("size", .fileSize, .integer),
    ("sha256", .fileHash, .text),
  ]

  /// Resolves the names after a field to a part of its value, and returns the part and its type.
  fileprivate static func within(
    _ type: FieldType, _ names: [String], at place: Int, _ path: [String], of schema: Schema
  ) throws(PathFault) -> (Route.Part, FieldType) {
    guard let name = names.first else { return (.whole, type) }
    let parts: [(name: String, part: Route.Part, type: FieldType)]
    switch type {
    case .json: return (.keys(names), .json)
    case .geopoint: parts = ofPoint
    case .file: parts = ofFile
    case .id, .text, .integer, .number, .boolean, .datetime, .password, .relation, .array:
      parts = []
    }
    let shown = path.joined(separator: ".")
    guard let part = parts.first(where: { $0.name == name }) else {
      let known = parts.map(\.name).joined(separator: ", ")
      throw PathFault(
        place: place + 1,
        message: parts.isEmpty
          ? "\(shown) is \(type.phrase), which has no parts"
          : "\(shown) is \(type.phrase) and has no \(Excerpt.cut(name)), only \(known)",
        schema: schema.name)
    }
    if names.count > 1 {
      throw PathFault(
        place: place + 2,
        message: "\(shown).\(name) is \(part.type.phrase), which has no parts",
        schema: schema.name)
    }
    return (part.part, part.type)
  }
}

extension PathFault {
  /// Returns the error for a name that is not a field of the schema, suggesting a similar name.
  package static func unknownField(
    _ name: String, at place: Int, of schema: Schema
  ) -> PathFault {
    if name.isEmpty {
      return PathFault(
        place: place, message: "a field name of \(schema.name) is missing",
        hint: "see datactl schema show \(schema.name)", schema: schema.name)
    }
    let names = (0..<schema.width).map { schema.name(of: $0) }
    let near = Names.suggested(for: name).flatMap { names.contains($0) ? $0 : nil }
    let nearest = near ?? DataModel.nearest(name, among: names)
    return PathFault(
      place: place, message: "\(schema.name) has no field \(Excerpt.cut(name))",
      hint: nearest.map { "did you mean \($0)?" } ?? "see datactl schema show \(schema.name)",
      schema: schema.name)
  }
}

extension FieldType {
  /// The name of the type with an article, for error messages.
  package var phrase: String {
    switch self {
    case .id: "an id"
    case .integer: "an integer"
    case .text, .json: name
    case .number, .boolean, .datetime, .geopoint, .file, .password: "a \(name)"
    case .relation(let relation): relation.isMany ? "a to-many relation" : "a relation"
    case .array: "an array"
    }
  }
}
