extension DataMap {
  /// The built-in maps. They can be used with any schema.
  package static var builtIn: [DataMap] {
    builtInTexts.compactMap { try? DataMap(parsing: Array($0.utf8), file: nil, isBuiltIn: true) }
  }

  /// Returns the built-in map with the given name, or nil if there is none.
  ///
  /// - Parameter name: The name of the map, such as `camel`.
  public static func builtIn(named name: String) -> DataMap? {
    builtIn.first { $0.name == name }
  }

  /// The JSON texts of the built-in maps, in the syntax of map files.
  package static let builtInTexts = [
    """
    {
      "map": "camel",
      "doc": "Names in camelCase, such as yearBorn.",
      "names": "camel"
    }
    """,
    """
    {
      "map": "pascal",
      "doc": "Names in PascalCase, such as YearBorn.",
      "names": "pascal"
    }
    """,
    """
    {
      "map": "stackmob",
      "doc": "Objects of the StackMob API, or of StackMob exports with the ids in _id.",
      "names": "same",
      "fields": {"$key": {"or": "_id"}},
      "types": {"datetime": {"as": "milliseconds"}},
      "system": {
        "created_at": {"at": "createddate", "as": "milliseconds"},
        "modified_at": {"at": "lastmoddate", "as": "milliseconds"},
        "created_by": "sm_owner"
      }
    }
    """,
    """
    {
      "map": "telerik",
      "doc": "Items of Telerik Platform, in the array Result of a response.",
      "records": "Result[]",
      "names": "first_upper",
      "fields": {"$key": "Id"},
      "types": {"geopoint": {"as": ["latitude", "longitude"]}},
      "system": {
        "created_at": "CreatedAt",
        "created_by": "CreatedBy",
        "modified_at": "ModifiedAt",
        "modified_by": "ModifiedBy"
      }
    }
    """,
    """
    {
      "map": "backendless",
      "doc": "Objects of Backendless, with times in milliseconds and geopoints as GeoJSON points.",
      "names": "camel",
      "fields": {"$key": "objectId"},
      "types": {"datetime": {"as": "whole_milliseconds"}, "geopoint": {"as": "geojson"}},
      "extra": {"___class": "$class"},
      "system": {
        "created_at": {"at": "created", "as": "whole_milliseconds"},
        "modified_at": {"at": "updated", "as": "whole_milliseconds"},
        "created_by": "ownerId"
      }
    }
    """,
    """
    {
      "map": "liquid",
      "doc": "Items of LDPlatform, with two ids in headers and the other fields in data.",
      "names": {"rule": "first_lower", "in": "data"},
      "fields": {"h_id": "headers.id", "h_client_id": "headers.clientId"},
      "types": {"geopoint": {"as": "lat,lon"}, "json": {"as": "json_text"}},
      "extra": {"headers": null},
      "system": {}
    }
    """,
    """
    {
      "map": "geojson",
      "doc": "A GeoJSON FeatureCollection, with the only geopoint of the schema as geometry.",
      "records": "features[]",
      "names": {"rule": "same", "in": "properties"},
      "fields": {"$key": {"at": "id", "as": "lenient"}, "$place": {"at": "geometry", "as": "geojson"}},
      "extra": {"type": "Feature"},
      "frame": {"type": "FeatureCollection"},
      "system": {}
    }
    """,
  ]
}
