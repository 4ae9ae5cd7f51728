"""The part of JSON Schema that docs/output.schema.json uses: faults(value, schema, whole) names each place that does not fit."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "oneOf", "$ref", "description", "x-csv"}
OF_WHOLE = {"$schema", "$id", "$defs", "title"}


def is_type(value, name):
    if name in ("integer", "number"):
        return not isinstance(value, bool) and isinstance(value, int if name == "integer" else (int, float))
    return isinstance(value, TYPES[name])


def faults_of_object(value, schema, whole, place):
    found = [f"{place} lacks {key}" for key in schema.get("required", ()) if key not in value]
    others = schema.get("additionalProperties", True)
    for key, each in value.items():
        inner = schema.get("properties", {}).get(key, others)
        if inner is False:
            found.append(f"{place} has {key}")
        elif inner is not True:
            found += faults(each, inner, whole, f"{place}/{key}")
    return found


def faults(value, schema, whole, place=""):
    if unknown := set(schema) - KNOWN - OF_WHOLE:
        raise ValueError(f"keywords {unknown} are not known")
    if "$ref" in schema:
        return faults(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], whole, place)
    if "oneOf" in schema:
        fitting = sum(not faults(value, each, whole, place) for each in schema["oneOf"])
        return [] if fitting == 1 else [f"{place} fits {fitting} of {len(schema['oneOf'])}"]
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return [f"{place} is {value!r}"]
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        return [f"{place} is {value!r}, no {' or '.join(types)}"]
    if isinstance(value, dict):
        return faults_of_object(value, schema, whole, place)
    if isinstance(value, list) and "items" in schema:
        return [fault for i, each in enumerate(value) for fault in faults(each, schema["items"], whole, f"{place}/{i}")]
    return []
