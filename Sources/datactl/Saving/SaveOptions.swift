import CommandSyntax
import DataModel
import DataStore
import RecordText

/// The options of `save`, except those that specify the records to save.
struct SaveOptions: Sendable {
  var policy = SavePolicy()
  /// The notations of values that are accepted in addition to the standard ones, for example
  /// because of `--lenient`.
  var conversions = ValueConversions()
  var skipsInvalid = false
  var rejects: String?
  var wait = WriteWait.standard
  var commitEvery: Int?
  var isDryRun = false
  /// Whether the schema is inferred from the first records. If the schema exists, only the fields
  /// that it does not have are inferred.
  var infers = false
  /// Whether only records that were created or changed are printed.
  var printsOnlyChanged = false
  /// Whether a table on a terminal includes the system fields (`--system`).
  var showsSystemFields = false
  var numbers = RecordWriter.NumberStyle.number
  /// Whether the input may contain nested records, which are saved too (`--deep`).
  var isDeep = false

  static let discussion: [Block] = [
    """
    Creates a record if its id does not exist yet. If the id exists, changes only the given \
    fields. A record without an id gets a new id. Only users, who can log in, must have an id.
    """,
    """
    A command is one transaction: it saves all records or none, unless `--skip-invalid` or \
    `--commit-every` is given.
    """,
    .heading("Assignments"),
    """
    Assignments on the command line create or change one record or, with `--where`, change all \
    matching records. They have these forms:
    """,
    .definitions([
      Definition(
        "FIELD=TEXT",
        """
        sets a value. TEXT has the form of the field's type, such as `LAT,LON` for a geopoint. An \
        array or a to-many relation gets TEXT as its only element
        """),
      Definition(
        "FIELD=",
        """
        sets null or, in a text field, the empty string. To clear a to-many relation, write \
        `FIELD:=[]`
        """),
      Definition(
        "FIELD:=JSON",
        """
        sets a JSON value, such as `tags:='["urgent","home"]'`
        """),
      Definition(
        "FIELD@=PATH",
        "sets a file or text field to the content of the file PATH. `@=-` reads standard input"),
      Definition(
        "FIELD+=VALUE",
        """
        adds VALUE to a number, or appends it to an array or a to-many relation. A relation \
        contains each id only once
        """),
      Definition(
        "FIELD-=VALUE",
        """
        subtracts VALUE from a number, or removes all elements that are equal to VALUE from an \
        array or a to-many relation
        """),
    ]),
    """
    Passwords cannot be given on the command line, where other users could see them. To read a \
    password from standard input, write `password@=-`.
    """,
    """
    With `revision=N`, a record that exists is changed only if its revision is N. Other system \
    fields, such as `created_at`, cannot be set on the command line.
    """,
    .heading("Input"),
    """
    Without assignments, records are read from `--file` or from standard input. If an ID is given, \
    the input must contain exactly one record.
    """,
    """
    The input can be JSON, NDJSON (one JSON object per line), CSV, TSV or XML, and it can be \
    compressed with gzip. The format is detected. `datactl help formats` describes the formats and \
    the options for columns, encodings and values.
    """,
    """
    An import of records with ids can be repeated: existing records are changed, not duplicated. \
    If the input has no ids, `--key` makes them from other columns.
    """,
    """
    If an id occurs more than once in the input, the records with this id are saved in order. \
    `--create` rejects such input.
    """,
    """
    In JSON, `{"$add": N}` adds to a number. `{"$append": [...]}` and `{"$remove": [...]}` change \
    an array or a to-many relation. For example, this record adds one tag and removes another:
    """,
    .literal(
      """
      {"todo_id": "tea", "tags": {"$append": ["urgent"], "$remove": ["later"]}}
      """),
    .heading("Output"),
    """
    After the commit, the saved records are printed. On a terminal, the first five are printed as \
    a table. In a pipe or a file, all of them are printed as NDJSON.
    """,
    """
    A summary on standard error shows how many records are new, changed or the same as before, for \
    example `100 saved: 80 new, 15 changed, 5 the same`.
    """,
    """
    `-o diff` prints changes instead of records. On a terminal, it prints text. In a pipe or a \
    file, each line is a JSON object with the old and the new value of each changed field. The key \
    `did` is `create`, `change` or `delete`:
    """,
    .literal(
      """
      {"todo_id":"tea","did":"change","changes":{"title":["Tea","Buy tea"]}}
      """),
    .heading("Errors"),
    """
    Errors show the file, the line and the field. At most 20 errors are printed, followed by the \
    number of remaining errors. The first error determines the exit status.
    """,
    "By default, a record can refer to a record that is saved later in the same command.",
    """
    Unique values are checked after each record. To swap the values of two records, first set one \
    of the values to null or to another value.
    """,
    .heading("Revisions and system fields"),
    """
    You can edit the output of `get` or `list`, and save it again. If a record contains a \
    `revision`, it is saved only if the stored record has the same revision. If the record was \
    changed in the meantime, the exit status is 5 (conflict). `--any-revision` turns this check \
    off. A record that was deleted and created again can have the same revision, but not the same \
    `created_at`, which `--same-record` compares.
    """,
    """
    Other system fields in the input are ignored, and so is the revision of a record that does not \
    exist yet. `--keep-system-fields` saves all of these values, and does not check revisions.
    """,
    .heading("Changing records by a condition"),
    """
    With `--where`, the assignments change all matching records. No record is created. The command \
    shows the store and the number of records, and asks for confirmation. In a script, where the \
    command cannot ask, pass `--yes`.
    """,
    .heading("Deleting records"),
    """
    With `--prune CONDITION`, the command saves the input, and then deletes the records that match \
    the condition and are not in the input. Both are done in one transaction.
    """,
    """
    `--prune true` deletes all records that are not in the input. If the input contains no \
    records, `--prune` deletes nothing, and the exit status is 6.
    """,
    """
    The command shows how many records it would delete, and asks for confirmation. In a script, or \
    if the records are read from standard input, pass `--yes`.
    """,
    "References to deleted records are handled as by `datactl delete`.",
    """
    With `--skip-invalid`, a skipped record belongs to the input too, so its stored version is kept. \
    If a skipped record has no id, or its id cannot be read, nothing is deleted, and the exit status \
    is 5.
    """,
    """
    With `--deep`, nested records of the same schema also belong to the input, so they are kept. \
    An object that contains only an id does not, so `--prune` can delete the record with this id.
    """,
    .heading("Nested records"),
    """
    With `--deep`, a relation can contain records in place of ids, as in the output of `list \
    --expand`. These nested records are saved in their own schemas, in the same transaction, and \
    the relation gets their ids:
    """,
    .literal(
      """
      {"trip_id": "alps", "steps": [{"text": "Pack"}, {"text": "Go"}]}
      """),
    """
    An object that contains only an id refers to a record without changing it. `--create` and \
    `--replace` apply only to the outer records, not to the nested ones, but `--replace` applies to \
    owned records, too. `--update` applies to both.
    """,
    """
    The list of an inverse contains the records that refer to the outer one, such as the lines of an \
    order. If they are owned, the list is whole: lines that it does not name are deleted. `datactl \
    help graphs` describes trees and owned lists.
    """,
    """
    Other nested records that are missing from the input are not deleted from the store. For \
    example, if trips have the relation `steps`, this command deletes the steps that belong to no \
    trip:
    """,
    .literal("datactl delete step --where \"trip.steps is empty\""),
    .heading("Maps and files"),
    """
    With `--map`, the input is in the form that a map describes, such as an RSS feed or an export \
    of another system (see `datactl help maps`). A map with nested records implies `--deep`.
    """,
    """
    With `--files`, the content of each file is saved in a record of its own. `get --content FIELD \
    --into FOLDER` writes the contents back to files.
    """,
    .heading("Inferring the schema"),
    """
    With `--infer`, the store and the schema are created if they do not exist. If the schema \
    exists, missing fields are added. A message on standard error reports what was created. The \
    schema and the records are saved in one transaction.
    """,
    """
    The fields are inferred by the rules of `schema infer`, but only from the first 1,000 records \
    or 4 MB. If a later record does not match these fields, the command fails. In that case, use \
    `schema infer`, which reads all records.
    """,
    """
    With `--deep`, the schemas of nested objects are inferred by the rules of `schema infer \
    --split`. Records without an id get one that follows from the outer record, so that the same \
    document can be saved again. A map with nested records determines their schemas and ids itself.
    """,
    """
    `--infer` renames keys that have the names of system fields. For example, `created_at` is \
    saved as the field `original_created_at`. The keys are not renamed if a record contains all \
    five system fields, as in the output of `list`, or if `--keep-system-fields` is given.
    """,
    .heading("Input that does not end"),
    """
    Use `--commit-every` for input that does not end, such as a log. After each commit, the number \
    of the last saved line is reported on standard error:
    """,
    .literal(
      """
      tail -f events.ndjson | datactl save event --commit-every 100 -o none
      """),
    """
    If a record is invalid, the command rolls back all records since the last commit, and ends. \
    With `--skip-invalid`, the command skips only the invalid record, and continues.
    """,
    """
    With `--commit-every`, a record can refer only to records that are committed before it or \
    together with it.
    """,
    """
    If the store is on a server, each commit is a request. A server saves nothing before it has \
    received the whole input if the input is compressed, XML, UTF-16 or a JSON array, if there are \
    several files, or with `--deep`, `--map`, `--rejects` or `--comment`.
    """,
    .heading("Invalid records"),
    """
    `--skip-invalid` skips invalid records, and saves the others. A record can then refer to \
    earlier records, but not to later ones.
    """,
    "With `--deep`, a record and its nested records are saved or skipped together.",
    """
    `--rejects FILE` writes the skipped records to FILE. An existing file is replaced when the \
    command ends. `--rejects -` writes the records to standard output, and requires `-o none`. A \
    summary on standard error counts the errors of each field by kind, with the line of the first. \
    `datactl help formats` explains how to correct and save them.
    """,
  ]
}
