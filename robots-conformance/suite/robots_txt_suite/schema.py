"""The part of JSON Schema (2020-12) that the schemas of the suite use."""

import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
#: Keywords that check nothing.
NOTES = {"$schema", "$id", "$defs", "title", "description", "contentEncoding"}


def errors(schema, value):
    """Yields where a value does not fit. A keyword that is not known is a ValueError."""
    yield from _errors(schema, value, schema, "")


def _errors(schema, value, root, place):
    if schema is True:
        return
    if schema is False:
        yield f"{place or '/'}: not expected"
        return
    for keyword, rule in schema.items():
        if keyword in NOTES or keyword in ("then", "else"):
            continue
        if keyword == "properties":
            for key, of in rule.items():
                if isinstance(value, dict) and key in value:
                    yield from _errors(of, value[key], root, f"{place}/{key}")
        elif keyword == "additionalProperties":
            for key in value if isinstance(value, dict) else ():
                if key not in schema.get("properties", {}):
                    yield from _errors(rule, value[key], root, f"{place}/{key}")
        elif keyword == "propertyNames":
            for key in value if isinstance(value, dict) else ():
                yield from _errors(rule, key, root, f"{place}/{key}")
        elif keyword == "items":
            for index, item in enumerate(value) if isinstance(value, list) else ():
                yield from _errors(rule, item, root, f"{place}/{index}")
        elif keyword == "$ref":
            target = root
            for part in rule.removeprefix("#/").split("/"):
                target = target[part]
            yield from _errors(target, value, root, place)
        elif keyword == "allOf":
            for of in rule:
                yield from _errors(of, value, root, place)
        elif keyword == "oneOf":
            if sum(not any(_errors(of, value, root, place)) for of in rule) != 1:
                yield f"{place}: not exactly one of the choices"
        elif keyword == "if":
            of = schema.get("else" if any(_errors(rule, value, root, place)) else "then", True)
            yield from _errors(of, value, root, place)
        elif not _fits(keyword, rule, value):
            yield f"{place or '/'}: not {keyword} {rule}"


def _fits(keyword, rule, value):
    """Returns whether a value fits a keyword that is about this value only."""
    if keyword == "type":
        return isinstance(value, TYPES[rule]) and (rule == "boolean" or not isinstance(value, bool))
    if keyword == "const":
        return type(value) is type(rule) and value == rule
    if keyword == "enum":
        return any(type(value) is type(of) and value == of for of in rule)
    if keyword == "required":
        return not isinstance(value, dict) or all(key in value for key in rule)
    if keyword == "pattern":
        return not isinstance(value, str) or re.search(rule, value) is not None
    if keyword == "minLength":
        return not isinstance(value, str) or len(value) >= rule
    if keyword == "minimum":
        return not isinstance(value, int) or value >= rule
    if keyword == "minItems":
        return not isinstance(value, list) or len(value) >= rule
    if keyword == "minProperties":
        return not isinstance(value, dict) or len(value) >= rule
    if keyword == "uniqueItems":
        return not isinstance(value, list) or all(item not in value[:index] for index, item in enumerate(value))
    raise ValueError(f"the keyword {keyword} is not known")
