/// A schema with a field of every type, and records with boundary values.
enum SampleStore {
  static let schema = """
    {
      "schema": "sample",
      "fields": {
        "sample_id": {"type": "id"},
        "text": {"type": "text"},
        "whole": {"type": "integer"},
        "real": {"type": "number"},
        "yes": {"type": "boolean"},
        "at": {"type": "datetime"},
        "place": {"type": "geopoint"},
        "any": {"type": "json"},
        "photo": {"type": "file"},
        "friend": {"type": "relation", "to": "friend"},
        "friends": {"type": "relation", "to": "friend", "many": true},
        "texts": {"type": "[text]"},
        "wholes": {"type": "[integer]"},
        "reals": {"type": "[number]"},
        "yeses": {"type": "[boolean]"},
        "times": {"type": "[datetime]"}
      }
    }

    """

  /// Returns the records as NDJSON.
  ///
  /// - Parameter friends: Whether the records refer to the records f1 and f2 of another schema.
  static func records(friends: Bool) -> String {
    let related = friends ? #","friend":"f1","friends":["f2","f1"]"# : ""
    let stamps =
      #","created_at":"2026-01-02T03:04:05.678901Z","created_by":null,"modified_at":"2026-02-03T04:05:06Z""#
      + #","modified_by":null,"revision":3}"#
    return [
      #"{"sample_id":"full","text":"tea \"é\" 日本 👍\n\t\u0001","whole":9223372036854775807"#
        + #","real":5e-324,"yes":true,"at":"0001-01-01T00:00:00.000001Z""#
        + #","place":{"lat":-90,"lon":180},"any":\#(nested(100))"#
        + #","photo":{"name":"p.bin","type":"application/octet-stream","data":"AAEC/w=="}"#
        + #","texts":["","a,b","\"",""],"wholes":[-9223372036854775808,0],"reals":[0.1,1e300]"#
        + #","yeses":[true,false],"times":["9999-12-31T23:59:59.999999Z"]"# + related + stamps,
      #"{"sample_id":"empty","text":"","any":{"b":1,"a":[1.10,"\u00e9"]},"texts":[]"# + stamps,
      #"{"sample_id":"null""# + stamps,
      #"{"sample_id":"ünï 👍, \"q\"","text":"e\#("\u{301}")","whole":-9223372036854775808"#
        + #","real":-1.7976931348623157e308,"yes":false,"at":"2026-11-20","any":false"# + stamps,
    ].joined(separator: "\n") + "\n"
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }
}
