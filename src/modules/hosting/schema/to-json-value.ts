/** Returns a value as clients see it; undefined if it cannot be serialized, which the renderer reports. */
export function toJsonValue(result: unknown): { readonly value: unknown } | undefined {
  // Serializing and parsing would cost more than comparing.
  if (isJsonValue(result)) return { value: result };
  try {
    const text: unknown = JSON.stringify(result);
    return { value: typeof text === 'string' ? JSON.parse(text) : null };
  } catch {
    return undefined;
  }
}

/** Levels that are searched; deeper values may be circular. */
const MAX_DEPTH = 16;

/** Whether a value equals its JSON round trip. */
export function isJsonValue(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object') {
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
    return typeof value === 'string' || typeof value === 'boolean';
  }
  if (value === null) return true;
  if (levels === 0 || (value as { readonly toJSON?: unknown }).toJSON !== undefined) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) {
    for (const item of value as readonly unknown[]) if (!isJsonValue(item, levels - 1)) return false;
    return true;
  }
  if (prototype !== Object.prototype) return false;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    // Most members are strings: avoids most recursive calls.
    if (typeof member !== 'string' && !isJsonValue(member, levels - 1)) return false;
  }
  return true;
}
