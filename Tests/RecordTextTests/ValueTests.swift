import DataModel
import TestSupport
import Testing

@Suite("Values of each type")
struct ValueTests {
  @Test(
    "accepts valid values of each field type and writes them in canonical form",
    arguments: [
      (FieldType.text, #""a\u0062\/""#, #""ab/""#), (.text, #""""#, #""""#),
      (.text, "null", "null"),
      (.integer, "-5", "-5"), (.integer, "5.0", "5"), (.integer, "1e3", "1000"),
      (.integer, #""42""#, "42"), (.integer, "9223372036854775807", "9223372036854775807"),
      (.integer, "-9223372036854775808", "-9223372036854775808"),
      (.number, "1.50", "1.5"), (.number, "-0.0", "0"), (.number, "5e-324", "5e-324"),
      (.number, "0.1e1", "1"), (.boolean, "true", "true"), (.boolean, "false", "false"),
      (.date, #""2026-11-20""#, #""2026-11-20""#), (.date, "null", "null"),
      (.array(.date), #"["2026-11-20", "2024-02-29"]"#, #"["2026-11-20","2024-02-29"]"#),
      (.datetime, #""2026-11-20""#, #""2026-11-20T00:00:00.000Z""#),
      (.datetime, #""2026-11-20 04:05:00.000001+01:00""#, #""2026-11-20T03:05:00.000001Z""#),
      (.geopoint, #"{"lon": 8.54, "lat": 47.37}"#, #"{"lat":47.37,"lon":8.54}"#),
      (.geopoint, #"{"lat":-0.0,"lon":180}"#, #"{"lat":0,"lon":180}"#),
      (.json, #" { "a" : [ 1 , "\u00e9 x" ] } "#, #"{"a":[1,"\u00e9 x"]}"#),
      (.json, "null", "null"),
      (.json, #"{"$add": 1}"#, #"{"$add":1}"#), (.json, #""text""#, #""text""#),
      (.json, "1e400", "1e400"),
      (.array(.text), #"[ "a" , "\u0061" ]"#, #"["a","a"]"#), (.array(.text), "[]", "[]"),
      (.array(.integer), #"[1, 2.0, "3"]"#, "[1,2,3]"),
      (.array(.number), "[1.50,1e2]", "[1.5,100]"),
      (.array(.boolean), "[true,false]", "[true,false]"),
      (.array(.datetime), #"["2026-11-20"]"#, #"["2026-11-20T00:00:00.000Z"]"#),
      (.relation(Relation(to: "box")), "7", #""7""#),
      (.relation(Relation(to: "box")), #""a""#, #""a""#),
      (.relation(Relation(to: "box", isMany: true)), #"["b",7]"#, #"["b","7"]"#),
      (.integer, #"{"$add": -3}"#, "-3"), (.number, #"{"$add": 0.5}"#, "0.5"),
      (.array(.text), #"{"$remove": ["y"], "$append": ["x"]}"#, #"["x"]"#),
      (
        .file, #"{"name":"a.txt","data":"aGVsbG8="}"#,
        #"{"name":"a.txt","type":"application/octet-stream","size":5,"sha256":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}"#
      ),
      (
        .file,
        #"{"type":"text/plain","data":"","size":0,"name":"\"é\"","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#,
        #"{"name":"\"é\"","type":"text/plain","size":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#
      ),
    ])
  func takes(type: FieldType, text: String, expected: String) throws {
    #expect(try value(type, text) == expected)
  }

  @Test(
    "rejects an invalid value and reports what was expected and found",
    arguments: [
      (FieldType.text, "5", "expected text, found number 5"),
      (.text, "true", "expected text, found true"),
      (.text, "{}", "expected text, found an object"),
      (.text, "[1]", "expected text, found an array"),
      (.text, #""a\u0000b""#, "expected text without NUL"),
      (.integer, "1.5", "expected integer, found 1.5"),
      (
        .integer, "9223372036854775808", "expected a 64-bit integer, found 9223372036854775808"
      ),
      (.integer, #"{"$add": "3"}"#, "expected a number to add, found text"),
      (.integer, #"{"$plus": 3}"#, "unknown operation $plus"),
      (.integer, #"{"$append": [3]}"#, "expected integer, found an operation on a list"),
      (.integer, #"{"$add": 1, "$append": [3]}"#, "$add cannot be combined with another operation"),
      (.integer, #"{"$add": 1, "$add": 3}"#, "duplicate key $add"),
      (.array(.text), #"{"$append": "x"}"#, "expected an array after $append, found text"),
      (.array(.text), #"["x", null]"#, "expected an array of text, found null as an element"),
      (.array(.text), #"["x", ["y"]]"#, "expected an array of text, found an array as an element"),
      (.number, "1e400", "1e400 exceeds the range of a number"),
      (.number, "1e-400", "1e-400 is too small: it would become 0"),
      (.boolean, "0", "expected true or false, found number 0"),
      (.date, #""09/09/2013""#, #"expected date, found text "09/09/2013""#),
      (
        .date, #""2026-11-20T00:00:00Z""#,
        #"expected a date without a time, found "2026-11-20T00:00:00Z""#
      ),
      (.datetime, #""09/09/2013""#, #"expected datetime, found text "09/09/2013""#),
      (.datetime, #""2013-02-31""#, #"there is no such day: "2013-02-31""#),
      (.geopoint, #"{"lat":1}"#, "expected both lat and lon"),
      (.geopoint, #"{"lat":1,"lon":"2"}"#, "expected a number as lon, found text"),
      (.geopoint, #"{"lat":1,"lon":2,"lat":3}"#, "duplicate key lat"),
      (.geopoint, #"{"lat":1,"lon":2,"alt":3}"#, "expected lat or lon in a geopoint, found alt"),
      (
        .geopoint, #"[1,2]"#,
        #"expected geopoint, such as {"lat": 47.37, "lon": 8.54}, found an array"#
      ),
      (.relation(Relation(to: "box")), #"{"box_id":"1"}"#, "expected an id, found an object"),
      (.relation(Relation(to: "box")), "1.5", "expected an id of box, found number 1.5"),
      (.relation(Relation(to: "box", isMany: true)), "null", "a to-many relation cannot be null"),
      (
        .relation(Relation(to: "box", isMany: true)), #"["a","a"]"#,
        #"duplicate id in a to-many relation: "a""#
      ),
      (.file, #"{"data":""}"#, "a file needs a name"),
      (.file, #"{"name":"a","data":"=="}"#, "expected base64 with padding as data"),
      (.file, #"{"name":"a","data":"aGVsbG8=","size":4}"#, "size is 4, but data has 5 bytes"),
      (
        .file, #"{"name":"a/b","data":""}"#,
        #"expected a file name without folders and control characters, found "a/b""#
      ),
      (
        .file, #"{"name":"a"}"#,
        "a file needs data in base64, or the size and sha256 of stored data"
      ),
      (.file, #"{"name":"a","data":"","datum":1}"#, #"a file has no key "datum""#),
      (.file, #"{"content":"tea"}"#, #"a file has no key "content""#),
      (.json, #""\u0000""#, "\\u0000 is not allowed in text"),
    ])
  func refuses(type: FieldType, text: String, message: String) throws {
    let found = try value(type, text)
    #expect(found.split(separator: " ", maxSplits: 2).last.map(String.init) == message)
  }
}
