"""Validates the output of `datactl schema export`.

validate.py schema DOCUMENT              the document is a valid JSON Schema
validate.py accepts DOCUMENT FILE...     every file matches the schema
validate.py refuses DOCUMENT FILE...     no file matches the schema
validate.py records DOCUMENT DEFINITION  every line of stdin matches the definition
validate.py openapi DOCUMENT             the document is valid OpenAPI 3.1
validate.py operations                   prints the operations of the OpenAPI document on stdin
"""

import json
import sys

from jsonschema import Draft202012Validator, FormatChecker

PLACE = {"type": "string"}
REFERENCE = {"type": "object", "properties": {"$ref": PLACE}, "required": ["$ref"]}
RESPONSE = {
    "type": "object",
    "properties": {"description": PLACE, "content": {"$ref": "#/$defs/content"}},
    "required": ["description"],
    "additionalProperties": False,
}
PARAMETER = {
    "type": "object",
    "properties": {
        "name": PLACE,
        "in": {"enum": ["query", "path", "header", "cookie"]},
        "description": PLACE,
        "required": {"type": "boolean"},
        "schema": {"type": "object"},
    },
    "required": ["name", "in", "schema"],
    "additionalProperties": False,
}
OPERATION = {
    "type": "object",
    "properties": {
        "operationId": PLACE,
        "summary": PLACE,
        "tags": {"type": "array", "items": PLACE},
        "parameters": {"type": "array", "items": {"anyOf": [REFERENCE, PARAMETER]}},
        "requestBody": {
            "type": "object",
            "properties": {"required": {"type": "boolean"}, "content": {"$ref": "#/$defs/content"}},
            "required": ["content"],
            "additionalProperties": False,
        },
        "responses": {
            "type": "object",
            "propertyNames": {"pattern": "^([1-5][0-9]{2}|default)$"},
            "additionalProperties": {"anyOf": [REFERENCE, RESPONSE]},
            "minProperties": 1,
        },
    },
    "required": ["operationId", "responses"],
    "additionalProperties": False,
}
NAMES = {"propertyNames": {"pattern": "^[a-zA-Z0-9._-]+$"}}
OPENAPI = {
    "$defs": {
        "content": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {"schema": {"type": "object"}},
                "additionalProperties": False,
            },
        }
    },
    "type": "object",
    "properties": {
        "openapi": {"pattern": "^3\\.1\\.[0-9]+$"},
        "security": {"type": "array", "items": {"type": "object"}},
        "info": {
            "type": "object",
            "properties": {"title": PLACE, "version": PLACE, "description": PLACE},
            "required": ["title", "version"],
            "additionalProperties": False,
        },
        "servers": {"type": "array", "items": {"type": "object", "required": ["url"]}},
        "tags": {"type": "array", "items": {"type": "object", "required": ["name"]}},
        "paths": {
            "type": "object",
            "propertyNames": {"pattern": "^/"},
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "parameters": {"type": "array", "items": {"anyOf": [REFERENCE, PARAMETER]}},
                    **{verb: OPERATION for verb in ["get", "put", "post", "patch", "delete"]},
                },
                "additionalProperties": False,
            },
        },
        "components": {
            "type": "object",
            "properties": {
                "schemas": {"type": "object", **NAMES},
                "securitySchemes": {"type": "object", **NAMES},
                "responses": {"type": "object", "additionalProperties": RESPONSE, **NAMES},
                "parameters": {"type": "object", "additionalProperties": PARAMETER, **NAMES},
            },
            "additionalProperties": False,
        },
    },
    "required": ["openapi", "info", "paths"],
    "additionalProperties": False,
}


def unique_keys(members):
    keys = [key for key, _ in members]
    if len(keys) != len(set(keys)):
        sys.exit(f"a key occurs twice among {keys}")
    return dict(members)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=unique_keys)


def expect(validator, value, name):
    for error in validator.iter_errors(value):
        sys.exit(f"{name}: {error.json_path}: {error.message}")


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def check_openapi(path):
    document = read(path)
    expect(Draft202012Validator(OPENAPI), document, path)
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for reference in references(document):
        place = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
    names = []
    for name, item in document["paths"].items():
        declared = {p["name"] for p in item.get("parameters", []) if p.get("in") == "path"}
        used = {part[1:-1] for part in name.split("/") if part.startswith("{")}
        if declared != used:
            sys.exit(f"{name} declares {declared}")
        names += [part["operationId"] for key, part in item.items() if key != "parameters"]
    if len(names) != len(set(names)):
        sys.exit("an operationId occurs twice")
    try:
        from openapi_spec_validator import OpenAPIV31SpecValidator
    except ImportError:
        return
    OpenAPIV31SpecValidator(document).validate()


def print_operations():
    document = json.load(sys.stdin)
    for path, item in document["paths"].items():
        for method in sorted(item.keys() - {"parameters"}):
            part = item[method]
            body = "".join(f" <{kind}" for kind in part.get("requestBody", {}).get("content", {}))
            answer = "".join(f" >{kind}" for kind in part["responses"]["200"]["content"])
            print(f"{method.upper()} {path}{body}{answer}")
    print(*document["components"]["schemas"], sep="\n")


def main(check, path=None, *rest):
    if check == "operations":
        return print_operations()
    if check == "openapi":
        return check_openapi(path)
    document = read(path)
    Draft202012Validator.check_schema(document)
    if check == "records":
        document = {"$ref": f"#/$defs/{rest[0]}", "$defs": document["$defs"]}
    validator = Draft202012Validator(document, format_checker=FormatChecker())
    if check == "records":
        for line in sys.stdin:
            expect(validator, json.loads(line), line)
    elif check == "accepts":
        for name in rest:
            expect(validator, read(name), name)
    elif check == "refuses":
        for name in rest:
            if validator.is_valid(read(name)):
                sys.exit(f"{name} should have been refused")


main(*sys.argv[1:])
