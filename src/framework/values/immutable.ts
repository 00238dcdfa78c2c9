import { isDeeplyFrozen, isList, isPlainObject, type KeyPath } from './config-object';

/** Returns the object that it is constructed with: a subclass adds its private fields to that object. */
class Identity {
  constructor(object: object) {
    return object;
  }
}

/** Marks copies, which are reused, by a private field. A WeakSet would take several times as long. */
class Copy extends Identity {
  readonly #isCopy = true;

  static is(value: object): boolean {
    return #isCopy in value && value.#isCopy;
  }
}

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

/** The copy of every empty list. */
const NO_ITEMS = Object.freeze(new Copy([]));

/** @param known existing copies, for circular references */
function cloneValue(value: unknown, known: Map<object, object>): unknown {
  if (typeof value === 'function') return structuredClone(value);
  if (typeof value !== 'object' || value === null || Copy.is(value) || isDeeplyFrozen(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (isList(value) && value.length === 0) return NO_ITEMS;
  const copy = isList(value) ? [...value] : shallowCopy(value);
  known.set(value, copy);
  if (isList(copy)) cloneItems(copy, known);
  else cloneMembers(copy, known);
  new Copy(copy);
  return Object.freeze(copy);
}

function cloneItems(copy: unknown[], known: Map<object, object>): void {
  // Without an iterator, which creates two objects for each item.
  for (let at = 0; at < copy.length; at++) if (mayChange(copy[at])) copy[at] = cloneValue(copy[at], known);
}

function cloneMembers(copy: Record<string, unknown>, known: Map<object, object>): void {
  for (const name of Object.keys(copy)) {
    const member = copy[name];
    if (!mayChange(member)) continue;
    const value = cloneValue(member, known);
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true });
    else if (value !== member) copy[name] = value;
  }
}

/** Most members are text. */
const mayChange = (value: unknown): boolean => typeof value === 'object' || typeof value === 'function';

/** Returns a copy of a plain object, and a clone of anything else. */
function shallowCopy(value: object): Record<string, unknown> {
  if (!isPlainObject(value)) return structuredClone(value) as Record<string, unknown>;
  // Symbols, such as those of TypeBox, are not data.
  return Object.getOwnPropertySymbols(value).length === 0
    ? { ...value }
    : Object.fromEntries(Object.entries(value));
}

/** A value that {@link immutable} cannot copy. */
interface UncopyableValue {
  readonly path: KeyPath;
  readonly value: unknown;
}

/**
 * Returns the first value in the data that {@link immutable} cannot copy, such as a function.
 * @param onInstance called for an object whose copy may have other JSON: its class, or its `toJSON`, is not copied
 */
export function findUncopyable(
  data: unknown,
  onInstance: (instance: object) => void = () => undefined,
): UncopyableValue | undefined {
  return findWithin(data, [], { known: new Set(), onInstance });
}

interface Search {
  /** Objects that were searched, for circular references. */
  readonly known: Set<object>;
  readonly onInstance: (instance: object) => void;
}

function findWithin(value: unknown, path: KeyPath, search: Search): UncopyableValue | undefined {
  if (typeof value === 'function') return { path, value };
  if (typeof value !== 'object' || value === null || Copy.is(value) || isDeeplyFrozen(value))
    return undefined;
  if (search.known.has(value)) return undefined;
  search.known.add(value);
  const isList = Array.isArray(value);
  const isPlain = isList || isPlainObject(value);
  if (!isPlain && !isCopyable(value)) return { path, value };
  if (!isPlain || 'toJSON' in value) search.onInstance(value);
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name);
    // Most members are text, for which no path is needed.
    if (typeof member !== 'object' && typeof member !== 'function') continue;
    const found = findWithin(member, [...path, isList ? Number(name) : name], search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isCopyable(value: object): boolean {
  try {
    Object.freeze(structuredClone(value));
    return true;
  } catch {
    return false;
  }
}
