import { isDeeplyFrozen, isPlainObject } from './config-object';

/** Copies from this function, which are reused. */
const frozen = new WeakSet();

/**
 * Copies plain data and freezes it on every level, for data that requests share. A value that is already such a copy, or
 * part of the configuration, is returned unchanged, so that shared parts remain one object.
 *
 * @throws DataCloneError if the data contains a function
 */
export function immutable<T>(data: T): T {
  // The copy has the same type.
  return cloneValue(data, new Map()) as T;
}

/** @param known existing copies, for circular references */
function cloneValue(value: unknown, known: Map<object, object>): unknown {
  if (typeof value === 'function') return structuredClone(value);
  if (typeof value !== 'object' || value === null || frozen.has(value) || isDeeplyFrozen(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const copy = emptyCopy(value);
  known.set(value, copy);
  for (const [name, member] of Object.entries(value)) {
    const value = cloneValue(member, known);
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true });
    else Reflect.set(copy, name, value);
  }
  frozen.add(Object.freeze(copy));
  return copy;
}

/** Returns an empty array or plain object, and a clone of anything else. */
function emptyCopy(value: object): object {
  if (Array.isArray(value)) return [];
  return isPlainObject(value) ? {} : structuredClone(value);
}
