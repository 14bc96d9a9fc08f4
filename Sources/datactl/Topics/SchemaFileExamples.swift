/// The schema files that the manual shows; a test applies them all.
package enum SchemaFileExamples {
  package static let todo = """
    {
      "schema": "todo",
      "doc": "Something to be done.",
      "fields": {
        "todo_id": {"type": "id"},
        "title": {"type": "text", "required": true, "max": 200},
        "done": {"type": "boolean", "default": false},
        "due": {"type": "datetime"},
        "tags": {"type": "[text]"},
        "owner": {"type": "relation", "to": "user"},
        "steps": {"type": "relation", "to": "step", "many": true}
      },
      "indexes": [["done", "-due"]],
      "properties": {"assignee": "owner"}
    }
    """

  package static let rules = """
    {
      "schema": "step",
      "doc": "A part of a todo.",
      "fields": {
        "step_id": {"type": "id"},
        "code": {"type": "text", "unique": true, "max": 20,
          "pattern": "[A-Z]{2}[0-9]+"},
        "state": {"type": "text", "required": true, "default": "open",
          "one_of": ["open", "waiting", "done"]},
        "hours": {"type": "number", "min": 0, "max": 100},
        "days": {"type": "[integer]", "max": 7, "one_of": [1, 2, 3, 4, 5]},
        "where": {"type": "geopoint", "default": {"lat": 47.37, "lon": 8.54}},
        "after": {"type": "relation", "to": "step", "on_delete": "cascade"}
      }
    }
    """

  package static let user = """
    {
      "schema": "user",
      "kind": "user",
      "fields": {
        "username": {"type": "id"},
        "password": {"type": "password", "required": true},
        "email": {"type": "text", "unique": true, "max": 254}
      }
    }
    """

  package static let all = [todo, rules, user]
}
