/// Unusual records of the schema `note` (fields text, whole, real and any): some must be rejected,
/// and some accepted.
enum HostileJSON {
  static let rejected: [[UInt8]] =
    texts.map { Array($0.utf8) } + [
      // Invalid UTF-8 (a stray byte, an overlong encoding, a surrogate, a value above U+10FFFF, a
      // truncated sequence), control characters, and JSON that is nested too deeply.
      text([0xFF]), text([0xC0, 0xAF]), text([0xED, 0xA0, 0x80]), text([0xF5, 0x80, 0x80, 0x80]),
      text([0xE2, 0x82]), text([0x00]), text([0x01]), text([0x0A]),
      Array(#"{"any":"#.utf8) + nested(129) + [UInt8(ascii: "}")],
    ]

  private static let texts = [
    #"{"text":"\u0000"}"#, #"{"text":"\ud800"}"#, #"{"text":"\udc00\ud800"}"#,
    #"{"text":"a","text":"b"}"#, #"{"any":{"a":1,"a":2}}"#, #"{"any":"\u0000"}"#,
    #"{"whole":9223372036854775808}"#, #"{"real":1e400}"#, #"{"real":1e-400}"#,
    #"{"text":"a",}"#, #"{"text" "a"}"#, #"{"text":'a'}"#, #"{text:"a"}"#, #"{"any":[1,]}"#,
    #"{"any":01}"#, #"{"any":1.}"#, #"{"any":.5}"#, #"{"any":+1}"#, #"{"any":-}"#, #"{"any":1e}"#,
    #"{"any":0x10}"#, #"{"any":NaN}"#, #"{"any":Infinity}"#, #"{"any":tru}"#, #"{"any":nulL}"#,
    #"{"any":"\x41"}"#, #"{"any":"\u12G4"}"#, #"{"any":"open}"#, #"{"any":[1 2]}"#,
    #"{"any":{1:2}}"#,
    #"{"text":"a"} // said"#, "{\"text\":\"a\ttab\"}", #"{"text":"a"}}"#, "[1]", "\"none\"", "null",
    #"{"none":1}"#, "{\"whole\":1\u{A0}}", #"{"real":"#, "\u{FEFF}\u{FEFF}{}",
  ]

  static let accepted: [[UInt8]] =
    [
      #"{"text":"\u00e9\ud83d\ude00\\\"\/\b\f\n\r\t"}"#, " \t\r\n{ \"text\" :\t\"a\" } ",
      #"{"any":[0,-0,1.5E+3,1e-9,true,false,null,"",{},[]]}"#,
      "{\"text\":\"\u{7F}é日本👍\u{10FFFF}\"}",
      #"{"any":{"":1}}"#, #"{"whole":-9223372036854775808}"#, #"{"any":1e400}"#, "{}",
    ].map { Array($0.utf8) } + [Array(#"{"any":"#.utf8) + nested(128) + [UInt8(ascii: "}")]]

  /// Returns a record whose field `text` contains the given bytes.
  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    Array(#"{"text":"a"#.utf8) + bytes + Array(#"b"}"#.utf8)
  }

  private static func nested(_ depth: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "["), count: depth)
      + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
  }
}
