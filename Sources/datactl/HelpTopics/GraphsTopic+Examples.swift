import CommandSyntax

extension HelpTopics {
  /// Examples of record trees. A test runs them in order, in one folder, and compares their output.
  static let graphExamples: [Block] = [
    "An invoice and its items, which are parts of it, in the order of their places:",
    .literal(
      #"""
      $ cat item.json
      {"schema": "item", "fields": {"item_id": {"type": "id"},
        "invoice": {"type": "relation", "to": "invoice", "inverse": "items",
          "owned": true, "position": "place"},
        "place": {"type": "integer"}, "text": {"type": "text"}}}
      $ datactl schema create invoice customer:text
      Schema invoice created.
      $ datactl schema apply item.json
      create schema item
      $ echo '{"invoice_id":"i1","items":[{"item_id":"a"},{"item_id":"b"}]}' |
          datactl save invoice --deep -o none
      1 saved: 1 new (and 2 nested: 2 new)
      $ echo '{"items":["b",{"item_id":"c","text":"Cup"},"a"]}' |
          datactl save invoice i1 --deep -o none
      1 saved: 1 changed (and 3 nested: 1 new, 2 changed)
      $ datactl get invoice i1 --expand items |
          jq -c '[.revision, (.items[] | [.item_id, .place])]'
      [2,["b",1],["c",2],["a",3]]
      $ echo '{"invoice_id":"i1","items":["b","c"]}' |
          datactl save invoice --deep -o none
      1 saved: 1 changed (and 3 nested: 2 the same, 1 deleted)
      $ datactl save item c text=Pot -o none
      1 saved: 1 changed
      $ datactl get invoice i1 --fields revision
      {"invoice_id":"i1","revision":4}
      $ datactl delete invoice i1
      1 deleted
      2 records of item deleted with them
      """#),
    "The following examples use these schemas in a new store:",
    .literal(
      #"""
      $ datactl schema create phone number:text!
      Schema phone created.
      $ datactl schema create person name:text! height:number extra:json \
          boss:person phones:phone+
      Schema person created.
      """#),
    """
    `save --deep` saves the objects in the relations `boss` and `phones` as records. The object \
    in `extra` is a value, because `extra` is a `json` field.
    """,
    .literal(
      #"""
      $ cat bob.json
      {"person_id": "bob", "name": "Bob", "extra": {"shoe": 41},
       "boss": {"person_id": "cy", "name": "Cy"},
       "phones": [{"phone_id": "b1", "number": "1"}]}
      $ datactl save person --deep --file bob.json -o none
      1 saved: 1 new (and 2 nested: 2 new)
      $ datactl get person bob --expand boss,phones |
          jq -c '[.extra, .boss.name, .phones[0].number]'
      [{"shoe":41},"Cy","1"]
      """#),
    "This is the same tree in XML. Its values are the same, so the command changes nothing.",
    .literal(
      #"""
      $ cat bob.xml
      <records schema="person">
        <person person_id="bob">
          <name>Bob</name>
          <extra>{"shoe": 41}</extra>
          <boss><person person_id="cy"><name>Cy</name></person></boss>
          <phones>
            <item><phone phone_id="b1"><number>1</number></phone></item>
          </phones>
        </person>
      </records>
      $ datactl save person --deep --file bob.xml -o none
      1 saved: 1 the same (and 2 nested: 2 the same)
      """#),
    """
    A to-many relation keeps the order of its ids. If an id is removed from the relation, its \
    record is not deleted.
    """,
    .literal(
      #"""
      $ cat phones.json
      {"person_id": "bob", "phones": [
        {"phone_id": "b2", "number": "22"}, "b1"]}
      $ datactl save person --deep --file phones.json -o none
      1 saved: 1 changed (and 1 nested: 1 new)
      $ datactl get person bob --fields phones
      {"person_id":"bob","phones":["b2","b1"]}
      $ datactl save person bob phones-=b2 -o none
      1 saved: 1 changed
      $ datactl get person bob --fields phones
      {"person_id":"bob","phones":["b1"]}
      $ datactl list phone phone_id=b2 --count
      1
      """#),
    "If a nested record exists already, only the fields in the input are changed.",
    .literal(
      #"""
      $ cat boss.json
      {"person_id": "bob", "boss": {"person_id": "cy", "height": 1.9}}
      $ datactl save person --deep --file boss.json -o none
      1 saved: 1 the same (and 1 nested: 1 changed)
      $ datactl get person bob --fields boss,boss.height
      {"person_id":"bob","boss":"cy","boss.height":1.9}
      """#),
    """
    An error shows the path of the invalid value. In this example, `$` means the outer record, and \
    line 2 is the line on which the nested record begins.
    """,
    .literal(
      #"""
      $ cat jo.json
      {"person_id": "jo", "name": "Jo",
       "phones": [{"phone_id": "j1", "number": 7}]}
      $ datactl save person --deep --file jo.json
      datactl: jo.json:2: $.phones[0].number: expected text, found number 7
      """#),
    """
    With a map, a relation can also be an object whose values are the nested records. In this \
    map, the path `lines{}` means these values, and the path `{}key` means the key of each value. \
    `"system": {}` leaves out the system fields.
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
    still ends in 1. The map can then no longer print the record:
    """,
    .literal(
      #"""
      $ datactl save customer ann lines-=ann.lines.0 -o none
      1 saved: 1 changed
      $ datactl get customer ann --map book.json 2> errors ||
          echo "exit status $?"
      exit status 6
      """#),
    """
    A map for XML describes nested elements in the same way, with the key `"fields"` of a \
    relation. Here, too, the ids are derived from the positions of the lines. Therefore, saving \
    the same document again changes nothing. But if a line is inserted, the lines after it get \
    other ids.
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
  ]
}
