import { isList, isObject, isPlainObject } from '../../../framework';

/** Returns the same key of a Map or Set for values that are equal by JSON Schema. Takes the time of writing the value. */
export function valueKey(value: unknown): unknown {
  // Scalars are equal to themselves only, and no string is equal to the text of a structure.
  return typeof value === 'string' ? `"${value}` : structureText(value);
}

/** Writes an object or a list so that equal ones have the same text: members in the order of their names. */
function structureText(value: unknown): unknown {
  if (isList(value)) return `[${value.map(memberText).join()}]`;
  // A file is equal to itself only.
  if (!isPlainObject(value)) return value;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${memberText(value[name])}`).join()}}`;
}

function memberText(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(structureText(value));
}

/** Whether two values are equal by JSON Schema. Ends at the first difference. */
export function areEqual(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  if (isList(value))
    return (
      isList(other) && value.length === other.length && value.every((one, at) => areEqual(one, other[at]))
    );
  if (!isObject(value) || !isObject(other) || isList(other)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areEqual(value[name], other[name]))
  );
}
