/** Copies that were made here: they are reused without another copy. */
const frozen = new WeakSet();

/**
 * Copies plain data and freezes it on every level, for data that is made once and shared by requests. A value that is
 * such a copy already is returned as it is, so that shared parts stay one object.
 *
 * @throws DataCloneError when the data holds a function.
 */
export function immutable<T>(data: T): T {
  // The copy has the same type.
  return copied(data, new Map()) as T;
}

/** @param known the copies made so far: circular references end there */
function copied(value: unknown, known: Map<object, object>): unknown {
  if (typeof value === 'function') return structuredClone(value);
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const copy = emptyCopy(value);
  known.set(value, copy);
  for (const [name, member] of Object.entries(value)) {
    const value = copied(member, known);
    // Assigning it would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true });
    else Reflect.set(copy, name, value);
  }
  frozen.add(Object.freeze(copy));
  return copy;
}

/** An empty list or plain object; anything else is cloned. */
function emptyCopy(value: object): object {
  if (Array.isArray(value)) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? {} : structuredClone(value);
}
