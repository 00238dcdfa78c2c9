/** The value as clients see it; undefined for what is no JSON, of which the renderer will tell. */
export function asShown(result: unknown): { readonly value: unknown } | undefined {
  // Writing it only to read it again would cost more than comparing it.
  if (isPlain(result)) return { value: result };
  try {
    const text: unknown = JSON.stringify(result);
    return { value: typeof text === 'string' ? JSON.parse(text) : null };
  } catch {
    return undefined;
  }
}

/** Levels that are looked through; what is deeper may be circular. */
const DEEPEST = 16;

/** Whether a value is what it would be if it were written as JSON and read again. */
export function isPlain(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object') {
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
    return typeof value === 'string' || typeof value === 'boolean';
  }
  if (value === null) return true;
  if (levels === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) {
    for (const item of value as readonly unknown[]) if (!isPlain(item, levels - 1)) return false;
    return true;
  }
  if (prototype !== Object.prototype) return false;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    // Most members are texts: to call for each of them would cost more than all the rest.
    if (typeof member !== 'string' && !isPlain(member, levels - 1)) return false;
  }
  return true;
}
