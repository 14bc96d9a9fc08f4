// swift-format-ignore-file
// Written by `datactl schema export --format swift`: write it anew instead of editing it.

import DataClient

/// Its type would hide one of the library.
struct GeoPointRecord: Codable, Sendable, Recorded {
  static let schema = "geo_point"

  var geoPointID: RecordID
  var place: GeoPoint?
  var newTask: Reference?
}

struct NewTask: Codable, Sendable {
  var newTaskID: RecordID
}

/// Its type would hide one that every program uses.
struct TaskRecord: Codable, Sendable, Recorded {
  static let schema = "task"

  var taskID: RecordID
  var encode: String?
  var schema: String?
}

/// Hostile: */ --> ``` </td> " ' \ | * _ [a](b) {{x}} %% 
///  # ! & end.
/// # not a heading
/// - not a list
/// */ alert(1) /*
struct XYZ: Codable, Sendable, Recorded {
  static let schema = "x_y_z"

  /// \u0000\u001b[31mred\u001b[0m */
  var xYZId: RecordID
  /// A word of Swift's.
  var self__: String?
  var init_: String?
  var self_: String?
  var Class_: String?
  var `default`: String? = "a\"b\\(1)\\c\u{a}\u{2028}`$`"
  var aBC: Int64?
  var todoId: Int64?
  var todoID: Int64?
  var address_2: String?
  var end: String?
  /// a|b `c` <b>d</b> -- 1. x
  var code: String?
  var whole: Int64 = 9007199254740993
  var real: Double? = 1e300
  var yes: Bool = true
  var at: Timestamp? = Timestamp(microseconds: 1795143900000001)
  var place: GeoPoint? = try? GeoPoint(latitude: -1.5, longitude: 8)
  var any: JSONValue? = try? JSONValue(parsing: "{\"a\":[\"\\\"\",1.10,null]}")
  var must: JSONValue
  var texts: [String]? = ["a", "\""]
  var times: [Timestamp]? = [Timestamp(microseconds: 1795132800000000)].compactMap { $0 }
  var reals: [Double]? = [1, 0.5]
  var task: Reference?
  var tasks: [Reference] = []

  private enum CodingKeys: String, CodingKey {
    case xYZId
    case self__ = "self"
    case init_ = "init"
    case self_
    case Class_
    case `default`
    case aBC
    case todoId
    case todoID
    case address_2
    case end
    case code
    case whole
    case real
    case yes
    case at
    case place
    case any
    case must
    case texts
    case times
    case reals
    case task
    case tasks
  }
}
