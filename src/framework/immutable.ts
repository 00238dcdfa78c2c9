/** What is frozen to the bottom already: parts of it become parts of something else without another copy. */
const frozen = new WeakSet();

/**
 * A copy of plain data, frozen to the bottom: what is made once and shared by every request nobody may change for the
 * next. What is such a copy already is taken as it is, so that parts that several have stay one object.
 *
 * @throws DataCloneError when the data holds a function.
 */
export function immutable<T>(data: T): T {
  // What is copied is of the same type.
  return copied(data, new Map()) as T;
}

/** @param known the copies of what was met on the way: a value that contains itself ends there */
function copied(value: unknown, known: Map<object, object>): unknown {
  if (typeof value === 'function') return structuredClone(value);
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const copy = emptyCopy(value);
  known.set(value, copy);
  for (const [name, member] of Object.entries(value)) {
    const value = copied(member, known);
    // What is called so would not become a member.
    if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true });
    else Reflect.set(copy, name, value);
  }
  frozen.add(Object.freeze(copy));
  return copy;
}

/** Of a list, or of a plain object; whatever else there may be is copied as it is. */
function emptyCopy(value: object): object {
  if (Array.isArray(value)) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? {} : structuredClone(value);
}
