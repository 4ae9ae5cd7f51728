#!/usr/bin/env python3
"""Compares which documents fit the schemas by Kakehashi and by Python's jsonschema. Usage: agreement.py FITS ROOT

The documents are the shipped ones and one of each schema's that states all there is, as they are and with one place changed."""
import copy
import json
import pathlib
import random
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

FITS, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
FOLDERS = {"platform": "platforms", "scenario": "scenarios", "gpu-library": "libraries/gpu"}
# The keywords that src/input/json/schema.cpp knows, and those that are for readers.
KNOWN = {"$ref", "type", "enum", "required", "properties", "additionalProperties", "minProperties", "maxProperties", "items", "minItems",
         "maxItems", "uniqueItems", "minLength", "maxLength", "minimum", "maximum", "anyOf", "exclusiveMinimum"}
FOR_READERS = {"$schema", "$id", "title", "description", "default", "format", "definitions"}
CHANGES_OF_EACH = 150
ODD = [None, True, 0, 1, -1, 7, 1.5, -0.5, 10**9, "", "x", "é" * 40, "y" * 41, "z" * 1000, [], ["a"], ["a", "a"], [1, 2, 3, 4], {},
       {"any": "1 us"}, {"x": 1}]


def subschemas(schema):
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("definitions", {}).values()]
    inner += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for each in inner:
        yield from subschemas(each)


def whole(rules, schema):
    """A value that states all that the rules know."""
    if "$ref" in rules:
        target = schema
        for step in rules["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return whole(target, schema)
    kinds = rules["type"] if isinstance(rules["type"], list) else [rules["type"]]
    if "object" in kinds:
        others = rules.get("additionalProperties", False)
        entries = {name: whole(each, schema) for name, each in rules.get("properties", {}).items()}
        return {**entries, "other": whole(others, schema)} if isinstance(others, dict) else entries
    if "array" in kinds:
        return [whole(rules["items"], schema)] * max(1, rules.get("minItems", 0))
    if "string" in kinds:
        return rules.get("enum", ["n"])[0]
    return rules.get("minimum", 0) if kinds[0] in ("integer", "number") else True


def places(value, found):
    """All (container, key) in a document."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((value, key))
        if isinstance(inner, (dict, list)):
            places(inner, found)
    return found


def changed(document, chance):
    document = copy.deepcopy(document)
    container, key = chance.choice(places(document, []))
    way = chance.randrange(6)
    if way == 0:
        del container[key]
    elif way == 1 and isinstance(container, dict):
        container[chance.choice(["unknown", "any", "name", "from", "to", "other"])] = chance.choice(ODD)
    elif way == 2 and isinstance(container, list):
        container += [container[key]] * chance.choice([1, 2, 20, 101])
    elif way == 3 and isinstance(container[key], str):
        container[key] *= chance.choice([2, 10, 50, 101, 401])
    elif way == 4 and isinstance(container[key], (int, float)):
        container[key] += chance.choice([-10, -1, 0.5, 1, 100, 10**7])
    else:
        container[key] = copy.deepcopy(chance.choice(ODD))
    return document


def documents():
    chance = random.Random(1)
    for kind, folder in FOLDERS.items():
        schema = json.loads((ROOT / folder / f"{kind}.schema.json").read_text())
        files = [file for file in sorted((ROOT / folder).glob("**/*.json")) if file.parent.name != "reference"]
        starts = [json.loads(file.read_text()) for file in files if not file.name.endswith(".schema.json")]
        starts = [start for start in starts if len(json.dumps(start)) < 12000]
        starts += [whole(schema, schema)] * 10
        for start in starts:
            yield kind, start
            for _ in range(CHANGES_OF_EACH):
                yield kind, changed(start, chance)


def validator(kind):
    schema = json.loads((ROOT / FOLDERS[kind] / f"{kind}.schema.json").read_text())
    if unknown := {key for each in subschemas(schema) for key in each} - KNOWN - FOR_READERS:
        sys.exit(f"{kind}.schema.json has {sorted(unknown)}, which Kakehashi does not check")
    draft = jsonschema.Draft7Validator
    whole_numbers = draft.TYPE_CHECKER.redefine("integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool))
    return jsonschema.validators.extend(draft, type_checker=whole_numbers)(schema)


def main():
    validators = {kind: validator(kind) for kind in FOLDERS}
    asked = list(documents())
    lines = "".join(f"{kind} {json.dumps(document)}\n" for kind, document in asked)
    answers = subprocess.run([FITS], input=lines, capture_output=True, text=True, check=True).stdout.split()
    expected = ["yes" if validators[kind].is_valid(document) else "no" for kind, document in asked]
    faults = [(answer, document) for answer, want, (_, document) in zip(answers, expected, asked, strict=True) if answer != want]
    for answer, document in faults[:5]:
        print(f"fits: {answer}, by jsonschema the other: {json.dumps(document)[:2000]}")
    print(f"{len(asked)} documents, {expected.count('yes')} fit, {len(faults)} disagreements")
    return bool(faults)


sys.exit(main())
