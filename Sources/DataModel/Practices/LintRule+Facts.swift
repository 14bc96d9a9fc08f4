extension LintRule {
  /// The properties of each rule, from which help, text, and JSON are produced.
  package var facts: Facts {
    switch self {
    case .invalidSchema:
      Facts(
        .error, "The file is no valid schema.",
        why: "`schema apply` refuses it.",
        mend: "Mend what the message names; `help schema-files` has the rules.")
    case .missingTarget:
      Facts(
        .error, "A relation refers to a schema that is not there.",
        why: "`schema apply` refuses the folder.",
        mend: "Add the schema, or correct the name that `to` gives.")
    case .keyAlone:
      Facts(
        .warning, "A schema has nothing but its primary key.",
        why: "Its records say nothing but that they are there; the other fields were forgotten.",
        mend: "Declare what is to be known of such a record.")
    case .nearNames:
      Facts(
        .warning, "Two names differ by a plural or an underscore only.",
        why: "Somebody will write into the one and look for it in the other.",
        mend: "Keep one of them, or rename one so that the two can be told apart.")
    case .wayBack:
      Facts(
        .warning, "A name in camelCase does not lead back to its field or schema.",
        why: """
          Programs that turn names around by the rule arrive at another name; datactl finds the \
          field all the same.
          """,
        mend: "Name the property under `properties`, or rename the field.")
    case .wideIndex:
      Facts(
        .warning, "An index entry can be too large.",
        why: """
          With the id, an entry holds at most 2,400 bytes, on every store. The record with the \
          first longer text will be refused.
          """,
        mend: "Give the text a `max`; a character takes up to four bytes.")
    case .reservedWord:
      Facts(
        .note, "A name is a reserved word of SQL.",
        why:
          "datactl puts it in quotes. Whoever reads the store with another tool has to do it too.",
        mend: "Take another name, if other tools are to read the store.")
    case .relationWithoutIndex:
      Facts(
        .note, "No index begins with a relation.",
        why: """
          The store finds the records that refer to one by itself. In another order than that of \
          their ids it has to find and sort all of them for each page.
          """,
        mend: "Add an index of the relation and the fields of the order, if there will be many.")
    case .schemaRemoved:
      Facts(
        .error, "A schema that is deployed is gone.",
        why: "Programs that use it no longer find it, and its records would be lost.",
        mend: "Keep its file as long as a program uses it.")
    case .schemaRenamed:
      Facts(
        .error, "A schema has another name.",
        why: "Programs that use the old name no longer find it; its records stay.",
        mend: "Change the programs together with the store, or keep the name.")
    case .kindChanged:
      Facts(
        .error, "A schema has become one of users, or is one no longer.",
        why: "Nobody could log in, or the ids would have to be names.",
        mend: "Declare another schema.")
    case .keyRenamed:
      Facts(
        .error, "The primary key has another name.",
        why: "Every program names the key.",
        mend: "Give it its name back.")
    case .fieldRemoved:
      Facts(
        .error, "A field that is deployed is gone.",
        why: "Programs that read or write it fail, and its values would be lost.",
        mend: "Keep the field as long as a program uses it; say in its `doc` that it is going.")
    case .fieldRenamed:
      Facts(
        .error, "A field has another name.",
        why: "Programs that read or write the old name fail; its values stay.",
        mend: "Change the programs together with the store, or keep the name.")
    case .typeChanged:
      Facts(
        .error, "A field has another type.",
        why: "Programs read and write values of the old type.",
        mend: "Add a field with another name, fill it, and let the old one go later.")
    case .fieldDemanded:
      Facts(
        .error, "A new field is required and has no default.",
        why: "Programs that do not know it can create no more records.",
        mend: "Give it a `default`, or leave `required` out until all programs fill it.")
    case .requiredAdded:
      Facts(
        .error, "A field has become required.",
        why: "Programs that leave it out, or clear it, are refused.",
        mend: "Give it a `default`, and see that nobody writes null.")
    case .ruleTightened:
      Facts(
        .error, "A rule lets fewer values through.",
        why: "Programs that write the others are refused.",
        mend: "Mend the programs and the records first.")
    case .uniqueAdded:
      Facts(
        .error, "A field has become unique.",
        why: "Programs that write a value for the second time are refused.",
        mend: "See that every writer makes values of its own.")
    case .propertyRemoved:
      Facts(
        .error, "A property is gone, or stands for another field.",
        why: "Programs that write the field by this name fail, or write into another.",
        mend: "Keep the property.")
    case .requiredDropped:
      Facts(
        .warning, "A field is no longer required.",
        why: "Programs that read it may meet null for the first time.",
        mend: "Let the readers expect null before the first writer leaves the field out.")
    case .choiceAdded:
      Facts(
        .warning, "A field can have values that it could not have before.",
        why: "Programs that list its values as cases meet one that they do not know.",
        mend: "Let the readers know the new values before the first writer uses them.")
    case .defaultChanged:
      Facts(
        .warning, "A default is another, or gone.",
        why: "Programs that leave the field out get other records than before.",
        mend: "Let the programs write the value that they mean.")
    case .onDeleteChanged:
      Facts(
        .warning, "Deleting the target does something else.",
        why: "Programs that delete it are refused, lose more records than before, or leave some.",
        mend: "Look at every program that deletes records of the target.")
    case .indexDropped:
      Facts(
        .warning, "An index is gone.",
        why: "Pages in its order cost as much as all the records do.",
        mend: "Keep it, unless nobody asks in this order.")
    }
  }
}
