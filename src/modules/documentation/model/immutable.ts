/**
 * A copy of plain data, frozen to the bottom: documentation is rendered once and shared by every request,
 * so nobody may change what the next reader sees.
 *
 * @throws DataCloneError when the data holds a function.
 */
export function immutable<T>(data: T): T {
  return freeze(structuredClone(data));
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Frozen before its members, so that a value that contains itself ends the walk.
  Object.freeze(value);
  const members: unknown[] = Object.values(value);
  members.forEach(freeze);
  return value;
}
