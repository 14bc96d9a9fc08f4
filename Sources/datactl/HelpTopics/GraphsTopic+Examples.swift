import CommandSyntax

extension HelpTopics {
  /// Examples of record trees, and of the values that fields accept. A test runs them in order, in
  /// one folder, and compares their output.
  static let graphExamples: [Block] = [
    "The following examples use these schemas:",
    .literal(
      #"""
      $ datactl schema create phone number:text!
      Schema phone created.
      $ datactl schema create person full_name:text! born:datetime \
          height:number active:boolean tags:text+ extra:json \
          boss:person phones:phone+
      Schema person created.
      """#),
    "JSON and XML are equal inputs: the same record in both formats is the same record.",
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
    "A field can be given by its property, the name that it has in program code.",
    .literal(
      #"""
      $ echo '{"personId":"ann","fullName":"Ann Alder"}' |
          datactl save person -o none
      1 saved: 1 changed
      $ datactl get person ann --fields full_name
      {"person_id":"ann","full_name":"Ann Alder"}
      """#),
    "A whole tree is saved at once.",
    .literal(
      #"""
      $ cat bob.json
      {"person_id": "bob", "full_name": "Bob",
       "boss": {"person_id": "cy", "full_name": "Cy"},
       "phones": [{"phone_id": "b1", "number": "1"}]}
      $ datactl save person --deep --file bob.json -o none
      1 saved: 1 new (and 2 inside: 2 new)
      $ datactl get person bob --expand boss,phones |
          jq -c '[.boss.full_name, .phones[0].number]'
      ["Cy","1"]
      """#),
    "A map converts names, such as those that begin with a capital letter.",
    .literal(
      #"""
      $ echo '{"PersonID":"ann","FullName":"Ann A."}' |
          datactl save person --map pascal -o none
      1 saved: 1 changed
      $ datactl get person ann --map pascal | jq -c .FullName
      "Ann A."
      """#),
    "A relation names the schema of the records that it contains.",
    .literal(
      #"""
      $ datactl schema show person | jq -c '.fields.boss, .fields.phones'
      {"type":"relation","to":"person"}
      {"type":"relation","to":"phone","many":true}
      """#),
    """
    A map states the format of its documents. Without a map, the first byte of the input or `--input` \
    determines the format. An element of XML is a record.
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
    "A JSON object is a record, and a list of objects is a list of records.",
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
    "A value that no field can take is an error, and nothing is saved.",
    .literal(
      #"""
      $ echo '{"person_id":"ivy","full_name":"Ivy","nick":"I"}' |
          datactl save person -o none
      datactl: standard input:1: person has no field nick
        see datactl schema show person
      $ datactl list person person_id=ivy --count
      0
      """#),
    "Records are a stream, so input of any length needs the same memory.",
    .literal(
      #"""
      $ seq 1 1000 | jq -c '{person_id: "p\(.)", full_name: "P \(.)"}' |
          datactl save person -o none
      1,000 saved: 1,000 new
      """#),
    "In XML, the type of the field decides what text becomes: a number, a boolean or a time.",
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
    "In JSON, a value of another type is an error, unless a map or `--lenient` accepts it.",
    .literal(
      #"""
      $ echo '{"person_id":"dee","active":1}' | datactl save person -o none
      datactl: standard input:1: active: expected true or false, found number 1
      $ echo '{"person_id":"dee","active":1}' |
          datactl save person --lenient -o none
      1 saved: 1 changed
      """#),
    "Times have a type. A map describes other notations, and a date must exist.",
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
    "An array of scalars stays an array, and a `json` field keeps any array as it is.",
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
    The objects of an array become records in a to-many relation, in their order. If one of them is \
    removed from the relation, its record remains.
    """,
    .literal(
      #"""
      $ cat phones.json
      {"person_id": "eve", "phones": [
        {"phone_id": "e2", "number": "22"},
        {"phone_id": "e1", "number": "11"}]}
      $ datactl save person --deep --file phones.json -o none
      1 saved: 1 changed (and 2 inside: 2 new)
      $ datactl get person eve --fields phones
      {"person_id":"eve","phones":["e2","e1"]}
      $ datactl save person eve phones-=e2 -o none
      1 saved: 1 changed
      $ datactl get person eve --fields phones
      {"person_id":"eve","phones":["e1"]}
      $ datactl list phone phone_id=e2 --count
      1
      """#),
    "A `json` field keeps an object as it is.",
    .literal(
      #"""
      $ cat fay.json
      {"person_id": "fay", "extra": {"shoe": 41, "likes": {"tea": true}}}
      $ datactl save person --file fay.json -o none
      1 saved: 1 changed
      $ datactl list person --where 'extra.likes.tea = true' -o ids
      fay
      """#),
    "An object in a to-one relation becomes a record.",
    .literal(
      #"""
      $ cat boss.json
      {"person_id": "fay", "boss": {"person_id": "gus", "height": 1.9}}
      $ datactl save person --deep --file boss.json -o none
      1 saved: 1 changed (and 1 inside: 1 changed)
      $ datactl get person fay --fields boss,boss.height
      {"person_id":"fay","boss":"gus","boss.height":1.9}
      """#),
    "With a map, the values of an object become records, each with its key in a field.",
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
      1 saved: 1 new (and 2 inside: 2 new)
      $ datactl list line --fields label,number
      {"line_id":"ann.lines.0","label":"home","number":"1"}
      {"line_id":"ann.lines.1","label":"work","number":"2"}
      $ datactl get customer ann --map book.json
      {"id":"ann","name":"Ann","lines":{"home":{"nr":"1"},"work":{"nr":"2"}}}
      """#),
    """
    If a record is removed from the middle, the ids of the others no longer follow from their places. \
    A map without a place for ids then cannot write them.
    """,
    .literal(
      #"""
      $ datactl save customer ann lines-=ann.lines.0 -o none
      1 saved: 1 changed
      $ datactl get customer ann --map book.json 2> errors ||
          echo "exit status $?"
      exit status 6
      """#),
    "A map that cannot be written back is an error before any record is read.",
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
    Nested `fields` describe elements inside an element. The records inside get the ids \
    OWNER.FIELD.INDEX, so a document that is read again changes nothing.
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
      1 saved: 1 new (and 2 inside: 2 new)
      $ datactl list customer customer_id=bob --map xbook.json |
          datactl save customer --map xbook.json -o none
      1 saved: 1 the same (and 2 inside: 2 the same)
      $ datactl save customer --map xbook.json --file book.xml -o none
      1 saved: 1 the same (and 2 inside: 2 the same)
      $ datactl list line --where "line_id like 'bob.%'" -o ids
      bob.lines.0
      bob.lines.1
      """#),
    "An unexpected value is one error, with its line and its path.",
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
