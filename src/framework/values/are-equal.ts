import { isList, isObject } from './config-object';

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
