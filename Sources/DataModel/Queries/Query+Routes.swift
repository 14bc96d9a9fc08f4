/// A sort term with its resolved path.
package struct OrderRoute: Hashable, Sendable {
  package var path: String
  package var route: Route
  package var isDescending: Bool
}

extension Query {
  /// Resolves the terms of the full order. Each must have a single value of a sortable type.
  package func orderRoutes(in catalog: Catalog) throws(DataError) -> [OrderRoute] {
    var routes: [OrderRoute] = []
    for term in fullOrder {
      let route = try catalog.route(toOne: FieldPath(dotted: term.field), from: schema)
      guard route.type.isOrdered else {
        throw .cannot("order by", term.field, route.type, of: schema)
      }
      routes.append(OrderRoute(path: term.field, route: route, isDescending: term.isDescending))
    }
    if let place = bound?.place, !place.fits(routes) {
      throw DataError(
        Problem(.usage, "the cursor does not belong to this order", schema: schema.name))
    }
    return routes
  }

  /// Resolves the paths of the joined fields. Each must be a field, or a part of a geographic point
  /// or a file.
  package func routesAlongside(in catalog: Catalog) throws(DataError) -> [Route] {
    var routes: [Route] = []
    for path in alongside {
      let route = try catalog.route(toOne: path, from: schema)
      if case .keys = route.part {
        throw .cannot("show", path.description, route.type, of: schema)
      }
      routes.append(route)
    }
    return routes
  }
}

extension Query.Bound {
  /// The cursor at which the page begins or ends.
  package var place: Query.Place {
    switch self {
    case .after(let place), .before(let place): place
    }
  }
}

extension Query.Place {
  fileprivate func fits(_ routes: [OrderRoute]) -> Bool {
    guard values.count == routes.count, values.last != .null else { return false }
    return zip(values, routes).allSatisfy { value, term in value.isOne(of: term.route.type) }
  }
}

extension Value {
  /// Returns whether the value is null or a value of the given sortable type.
  fileprivate func isOne(of type: FieldType) -> Bool {
    switch self {
    case .null: true
    case .text: type == .id || type == .text || type.relation != nil
    case .integer: type == .integer
    case .number: type == .number
    case .boolean: type == .boolean
    case .datetime: type == .datetime
    case .geopoint, .file, .json, .list: false
    }
  }
}

extension Catalog {
  /// Resolves a path that may only contain to-one relations.
  func route(toOne path: FieldPath, from schema: Schema) throws(DataError) -> Route {
    let route: Route
    do throws(PathFault) {
      route = try self.route(path, from: schema)
    } catch {
      throw DataError(error)
    }
    guard !route.hops.contains(where: \.isMany) else {
      throw DataError(
        Problem(
          .usage, "\(path) follows a to-many relation, so it may have several values",
          schema: schema.name, field: path.description))
    }
    return route
  }
}

extension DataError {
  static func cannot(
    _ verb: String, _ path: String, _ type: FieldType, of schema: Schema
  ) -> DataError {
    DataError(
      Problem(
        .usage, "cannot \(verb) \(Excerpt.visible(path)), which is \(type.phrase)",
        schema: schema.name,
        field: Excerpt.visible(path)))
  }
}
