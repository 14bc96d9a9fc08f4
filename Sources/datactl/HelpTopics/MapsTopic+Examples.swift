import CommandSyntax

extension HelpTopics {
  /// Examples of the naming rules of maps, and of exceptions to these rules. The examples use the
  /// built-in map for Telerik Platform. A test runs them in order, in one folder, and compares
  /// their output.
  static let mapExamples: [Block] = [
    "The following examples use this schema and the built-in map `telerik`:",
    .literal(
      #"""
      $ datactl schema create book title:text! author:text \
          published_at:datetime isbn:text
      Schema book created.
      """#),
    """
    The map `telerik` uses the rule `first_upper`, which converts a field name such as \
    `published_at` to `PublishedAt`. The map reads the primary key from `Id`.
    """,
    .literal(
      #"""
      $ cat book.json
      {"Id": "b1", "Title": "Moss", "Author": "A. Fern",
       "PublishedAt": "2013-09-09T00:00:00.000Z", "Isbn": "1"}
      $ datactl save book --map telerik --file book.json -o none
      1 saved: 1 new
      $ datactl get book b1 --fields title,author,isbn
      {"book_id":"b1","title":"Moss","author":"A. Fern","isbn":"1"}
      """#),
    "With the same map, `list` prints the record in the form that the other system expects.",
    .literal(
      #"""
      $ datactl list book --map telerik |
          jq -c '.Result[0] | {Id, Title, PublishedAt}'
      {"Id":"b1","Title":"Moss","PublishedAt":"2013-09-09T00:00:00.000Z"}
      """#),
    """
    In a date such as 09/10/2013, it is unclear which number is the month, so the map `telerik` \
    rejects it. Another map can specify the order of the day and the month.
    """,
    .literal(
      #"""
      $ echo '{"Id":"b2","Title":"T","PublishedAt":"09/10/2013"}' |
          datactl save book --map telerik 2> errors || echo "exit status $?"
      exit status 6
      $ cat us.json
      {"map": "us", "schema": "book", "names": "first_upper",
       "system": {},
       "fields": {"book_id": "Id",
         "published_at": {"at": "PublishedAt", "as": "MM/dd/yyyy"}}}
      $ echo '{"Id":"b2","Title":"T","PublishedAt":"09/10/2013"}' |
          datactl save book --map us.json -o none
      1 saved: 1 new
      $ datactl get book b2 --map us.json | jq -c .PublishedAt
      "09/10/2013"
      $ datactl get book b2 --fields published_at
      {"book_id":"b2","published_at":"2013-09-10T00:00:00.000Z"}
      """#),
    """
    A map need not list fields whose names follow its rule, such as `isbn` here. The following map \
    also reads `author` from `BookAuthor`, and `published_at` from `PublicationDate`.
    """,
    .literal(
      #"""
      $ cat own.json
      {"map": "own", "schema": "book", "names": "first_upper",
       "system": {},
       "fields": {"book_id": "Id", "title": "Title",
         "author": "BookAuthor", "published_at": "PublicationDate"}}
      $ cat third.json
      {"Id": "b3", "Title": "Third", "BookAuthor": "D. Dove",
       "PublicationDate": "2014-01-02T03:04:05.678Z"}
      $ datactl save book --map own.json --file third.json -o none
      1 saved: 1 new
      $ datactl get book b3 --map own.json | jq -c 'keys'
      ["BookAuthor","Id","Isbn","PublicationDate","Title"]
      $ datactl list book --map own.json |
          datactl save book --map own.json -o none
      3 saved: 3 the same
      """#),
    """
    If a key of the input belongs to no field, the command fails, unless the map contains \
    `"unknown": "ignore"`.
    """,
    .literal(
      #"""
      $ echo '{"Id":"b4","Title":"Fourth","By":"E."}' |
          datactl save book --map own.json
      datactl: standard input:1: $.By: no field of book is mapped to the key "By"
        add it to the map, or set "unknown": "ignore" in the map
      $ jq '.unknown = "ignore"' own.json > relaxed.json
      $ echo '{"Id":"b4","Title":"Fourth","By":"E."}' |
          datactl save book --map relaxed.json -o none
      1 saved: 1 new
      """#),
    """
    A map is rejected if two fields have the same path. Here, `author` has the path `Isbn`, which \
    the rule gives to `isbn`.
    """,
    .literal(
      #"""
      $ jq '.fields.author = "Isbn"' own.json > hit.json
      $ datactl list book --map hit.json 2> errors || echo "exit status $?"
      exit status 6
      """#),
    """
    With the map `telerik`, `get` and `list` print the system fields, except `revision`. By \
    default, `save` does not save their values. If the schema has a field such as \
    `original_created_at`, which `--infer` adds, the value is saved there.
    """,
    .literal(
      #"""
      $ datactl get book b1 --map telerik |
          jq -c '.Result | [has("CreatedAt"), has("Revision")]'
      [true,false]
      $ echo '{"Id":"b1","CreatedAt":"2001-01-01T00:00:00.000Z"}' |
          datactl save book --map telerik -o none
      1 saved: 1 the same
      """#),
    """
    The map converts the values of the other system to the types of the schema. In the following \
    example, the other system represents a geopoint as an object with the keys `longitude` and \
    `latitude`.
    """,
    .literal(
      #"""
      $ datactl schema create shop name:text stock:number \
          opened:datetime logo:file at:geopoint
      Schema shop created.
      $ cat shop.json
      {"Id": "s1", "Name": "Sofia", "Stock": 2.5,
       "Opened": "2013-09-09T08:15:30.123Z",
       "At": {"longitude": 23.379068, "latitude": 42.650601}}
      $ datactl save shop --map telerik --file shop.json -o none
      1 saved: 1 new
      $ datactl get shop s1 --fields stock,at
      {"shop_id":"s1","stock":2.5,"at":{"lat":42.650601,"lon":23.379068}}
      """#),
    """
    A response of the other system can contain several records. Values outside the records, such \
    as `Count`, are ignored.
    """,
    .literal(
      #"""
      $ cat response.json
      {"Count": 2, "Result": [{"Id": "b5", "Title": "Fifth"},
                              {"Id": "b6", "Title": "Sixth"}]}
      $ datactl save book --map telerik --file response.json -o none
      2 saved: 2 new
      """#),
  ]
}
