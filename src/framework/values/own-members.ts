/** Returns whether every object inherits a member of this name, such as `constructor`. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Returns a member of an object's own, which names from outside cannot make one that every object inherits. */
export function ownValue<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Returns a function that copies an object so that its members of these names are its own: an absent one is undefined,
 * and not the function that every object inherits, such as `constructor`. Objects without such names are not copied.
 */
export function ownMembers(names: readonly string[]): <Value extends object>(value: Value) => Value {
  const inherited = names.filter(isInherited);
  if (inherited.length === 0) return (value) => value;
  const absent = Object.fromEntries(inherited.map((name) => [name, undefined]));
  return (value) => ({ ...absent, ...value });
}
