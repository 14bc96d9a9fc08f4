import CommandSyntax

extension HelpTopics {
  /// Examples of record trees, and of the values that fields accept. A test runs them in order, in
  /// one folder, and compares their output.
  static let graphExamples: [Block] = [
    "The following examples use these schemas in a new store:",
    .literal(
      #"""
      $ datactl schema create phone number:text!
      Schema phone created.
      $ datactl schema create person full_name:text! born:datetime \
          height:number active:boolean tags:text+ extra:json \
          boss:person phones:phone+
      Schema person created.
      """#),
    """
    Records can be read from JSON or XML. In the following example, both files contain the same \
    record, so the second command changes nothing.
    """,
    .literal(
      #"""
      $ cat ann.json
      {"person_id": "ann", "full_name": "Ann", "height": 1.7}
      $ datactl save person --file ann.json -o none
      1 saved: 1 new
      $ cat ann.xml
      <records schema="person">
        <person person_id="ann">
          <full_name>Ann</full_name>
          <height>1.7</height>
        </person>
      </records>
      $ datactl save person --file ann.xml -o none
      1 saved: 1 the same
      """#),
    """
    Instead of the name of a field, the input can contain its name in camelCase, which program \
    code uses. For example, `fullName` means `full_name`.
    """,
    .literal(
      #"""
      $ echo '{"personId":"ann","fullName":"Ann Alder"}' |
          datactl save person -o none
      1 saved: 1 changed
      $ datactl get person ann --fields full_name
      {"person_id":"ann","full_name":"Ann Alder"}
      """#),
    "With `--deep`, a record is saved together with the records that are nested in it.",
    .literal(
      #"""
      $ cat bob.json
      {"person_id": "bob", "full_name": "Bob",
       "boss": {"person_id": "cy", "full_name": "Cy"},
       "phones": [{"phone_id": "b1", "number": "1"}]}
      $ datactl save person --deep --file bob.json -o none
      1 saved: 1 new (and 2 nested: 2 new)
      $ datactl get person bob --expand boss,phones |
          jq -c '[.boss.full_name, .phones[0].number]'
      ["Cy","1"]
      """#),
    """
    A map can convert the names of fields. For example, the built-in map `pascal` reads and writes \
    names in PascalCase, such as `FullName`.
    """,
    .literal(
      #"""
      $ echo '{"PersonID":"ann","FullName":"Ann A."}' |
          datactl save person --map pascal -o none
      1 saved: 1 changed
      $ datactl get person ann --map pascal | jq -c .FullName
      "Ann A."
      """#),
    "Each relation specifies the schema of the related records.",
    .literal(
      #"""
      $ datactl schema show person | jq -c '.fields.boss, .fields.phones'
      {"type":"relation","to":"person"}
      {"type":"relation","to":"phone","many":true}
      """#),
    """
    A map specifies the format of its documents. In this example, the format is XML, and each \
    record is an element `card`. With an empty object as `"system"`, system fields are left out.
    """,
    .literal(
      #"""
      $ cat card.json
      {"map": "card", "format": "xml", "schema": "person",
       "records": "/card", "system": {},
       "fields": {"person_id": "@id", "full_name": "name"}}
      $ echo '<card id="dee"><!-- new --><name>Dee</name></card>' |
          datactl save person --map card.json -o none
      1 saved: 1 new
      """#),
    """
    In JSON, each record is an object. The input can contain a single object or an array of \
    objects.
    """,
    .literal(
      #"""
      $ echo '{"person_id":"eve","full_name":"Eve"}' |
          datactl save person -o ids
      eve
      1 saved: 1 new
      $ cat list.json
      [{"person_id": "fay", "full_name": "Fay"},
       {"person_id": "gus", "full_name": "Gus"}]
      $ datactl save person --file list.json -o ids
      fay
      gus
      2 saved: 2 new
      """#),
    """
    If the input contains a key that belongs to no field, the command fails and nothing is saved.
    """,
    .literal(
      #"""
      $ echo '{"person_id":"ivy","full_name":"Ivy","nick":"I"}' |
          datactl save person -o none
      datactl: standard input:1: person has no field nick
        see datactl schema show person
      $ datactl list person person_id=ivy --count
      0
      """#),
    """
    Records are read one after another. Without `--deep`, the memory that `save` needs therefore \
    does not depend on their number.
    """,
    .literal(
      #"""
      $ seq 1 1000 | jq -c '{person_id: "p\(.)", full_name: "P \(.)"}' |
          datactl save person -o none
      1,000 saved: 1,000 new
      """#),
    "In XML, text is converted to the type of the field, such as a number, a boolean or a time.",
    .literal(
      #"""
      $ cat typed.json
      {"map": "typed", "format": "xml", "schema": "person",
       "records": "/people/p", "system": {},
       "fields": {"person_id": "@id", "height": "h", "born": "b"}}
      $ cat people.xml
      <people>
        <p id="dee"><h>1.80</h><b>1990-05-01T00:00:00Z</b></p>
      </people>
      $ datactl save person --map typed.json --file people.xml -o none
      1 saved: 1 changed
      $ datactl get person dee --fields height,born
      {"person_id":"dee","born":"1990-05-01T00:00:00.000Z","height":1.8}
      """#),
    """
    In JSON, a value must have the type of its field, unless a map or `--lenient` also accepts \
    other types. For example, `--lenient` accepts the number 1 as the boolean `true`.
    """,
    .literal(
      #"""
      $ echo '{"person_id":"dee","active":1}' | datactl save person -o none
      datactl: standard input:1: active: expected true or false, found number 1
      $ echo '{"person_id":"dee","active":1}' |
          datactl save person --lenient -o none
      1 saved: 1 changed
      """#),
    """
    Times are stored in datetime fields. A map can specify another notation for them, such as \
    milliseconds since 1970. Dates that do not exist, such as February 31, are rejected.
    """,
    .literal(
      #"""
      $ cat ms.json
      {"map": "ms", "schema": "person", "names": "same", "system": {},
       "fields": {"born": {"at": "born", "as": "milliseconds"}}}
      $ echo '{"person_id":"dee","born":641606400000}' |
          datactl save person --map ms.json -o none
      1 saved: 1 changed
      $ datactl get person dee --fields born
      {"person_id":"dee","born":"1990-05-02T00:00:00.000Z"}
      $ echo '{"person_id":"dee","born":"2013-02-31"}' |
          datactl save person -o none 2> errors || echo "exit status $?"
      exit status 6
      """#),
    """
    An array of strings can be saved in a `[text]` field, such as `tags`. Any array can be saved \
    in a `json` field, such as `extra`.
    """,
    .literal(
      #"""
      $ cat eve.json
      {"person_id": "eve", "tags": ["a", "b"], "extra": [1, {"x": null}]}
      $ datactl save person --file eve.json -o none
      1 saved: 1 changed
      $ datactl get person eve --fields tags,extra
      {"person_id":"eve","tags":["a","b"],"extra":[1,{"x":null}]}
      """#),
    """
    With `--deep`, the objects in an array are saved as the records of a to-many relation, which \
    keeps their order. If a record is removed from the relation, the record itself is not deleted.
    """,
    .literal(
      #"""
      $ cat phones.json
      {"person_id": "eve", "phones": [
        {"phone_id": "e2", "number": "22"},
        {"phone_id": "e1", "number": "11"}]}
      $ datactl save person --deep --file phones.json -o none
      1 saved: 1 changed (and 2 nested: 2 new)
      $ datactl get person eve --fields phones
      {"person_id":"eve","phones":["e2","e1"]}
      $ datactl save person eve phones-=e2 -o none
      1 saved: 1 changed
      $ datactl get person eve --fields phones
      {"person_id":"eve","phones":["e1"]}
      $ datactl list phone phone_id=e2 --count
      1
      """#),
    """
    A `json` field can also contain an object. Conditions can refer to the values in the object by \
    their keys.
    """,
    .literal(
      #"""
      $ cat fay.json
      {"person_id": "fay", "extra": {"shoe": 41, "likes": {"tea": true}}}
      $ datactl save person --file fay.json -o none
      1 saved: 1 changed
      $ datactl list person --where 'extra.likes.tea = true' -o ids
      fay
      """#),
    """
    With `--deep`, an object in a to-one relation is saved as a record of its own. In the \
    following example, this record exists already, so it is changed.
    """,
    .literal(
      #"""
      $ cat boss.json
      {"person_id": "fay", "boss": {"person_id": "gus", "height": 1.9}}
      $ datactl save person --deep --file boss.json -o none
      1 saved: 1 changed (and 1 nested: 1 changed)
      $ datactl get person fay --fields boss,boss.height
      {"person_id":"fay","boss":"gus","boss.height":1.9}
      """#),
    """
    A map can also read related records from the values of an object. In the following map, the \
    path `lines{}` refers to these values, and the path `{}key` refers to the key of each value.
    """,
    .literal(
      #"""
      $ datactl schema create line label:text! number:text!
      Schema line created.
      $ datactl schema create customer name:text! lines:line+
      Schema customer created.
      $ cat book.json
      {"map": "book", "schema": "customer", "system": {},
       "fields": {"customer_id": "id", "name": "name",
         "lines": {"at": "lines{}",
                   "fields": {"label": "{}key", "number": "nr"}}}}
      $ cat lines.json
      {"id": "ann", "name": "Ann",
       "lines": {"home": {"nr": "1"}, "work": {"nr": "2"}}}
      $ datactl save customer --map book.json --file lines.json -o none
      1 saved: 1 new (and 2 nested: 2 new)
      $ datactl list line --fields label,number
      {"line_id":"ann.lines.0","label":"home","number":"1"}
      {"line_id":"ann.lines.1","label":"work","number":"2"}
      $ datactl get customer ann --map book.json
      {"id":"ann","name":"Ann","lines":{"home":{"nr":"1"},"work":{"nr":"2"}}}
      """#),
    """
    The map has no path for the ids of the lines, so their ids are derived: `ann.lines.0` is the \
    first line of `ann`. If this line is removed, the second line moves to position 0, but its id \
    still ends in 1. Such a map cannot print the record any more:
    """,
    .literal(
      #"""
      $ datactl save customer ann lines-=ann.lines.0 -o none
      1 saved: 1 changed
      $ datactl get customer ann --map book.json 2> errors ||
          echo "exit status $?"
      exit status 6
      """#),
    "If two fields of a map have the same path, the map is rejected before any record is read.",
    .literal(
      #"""
      $ cat twice.json
      {"map": "twice", "schema": "phone",
       "fields": {"phone_id": "id", "number": "id"}}
      $ echo '{"id":"1"}' |
          datactl save phone --map twice.json 2> errors || echo "exit status $?"
      exit status 6
      """#),
    """
    In a map for XML, the key `fields` of a relation describes nested elements. The records in \
    these elements get ids of the form OWNER.FIELD.INDEX, so saving the same document again \
    changes nothing.
    """,
    .literal(
      #"""
      $ cat xbook.json
      {"map": "xbook", "format": "xml", "schema": "customer",
       "records": "/book/c", "system": {},
       "fields": {"customer_id": "@id", "name": "name",
         "lines": {"at": "line[]",
                   "fields": {"label": "@label", "number": "text()"}}}}
      $ cat book.xml
      <book>
        <c id="bob">
          <name>Bob</name>
          <line label="home">7</line><line label="car">8</line>
        </c>
      </book>
      $ datactl save customer --map xbook.json --file book.xml -o none
      1 saved: 1 new (and 2 nested: 2 new)
      $ datactl list customer customer_id=bob --map xbook.json |
          datactl save customer --map xbook.json -o none
      1 saved: 1 the same (and 2 nested: 2 the same)
      $ datactl save customer --map xbook.json --file book.xml -o none
      1 saved: 1 the same (and 2 nested: 2 the same)
      $ datactl list line --where "line_id like 'bob.%'" -o ids
      bob.lines.0
      bob.lines.1
      """#),
    "If a value is invalid, the error shows the line and the path of the value.",
    .literal(
      #"""
      $ cat jo.json
      {"person_id": "jo", "full_name": "Jo",
       "phones": [{"phone_id": "j1", "number": 7}]}
      $ datactl save person --deep --file jo.json
      datactl: jo.json:2: $.phones[0].number: expected text, found number 7
      """#),
  ]
}
