/**
 * Lays configuration over what code declares: records merge member by member, all else is replaced. What code
 * alone can hold (classes, functions) stays as it is.
 */
export function overlay(declared: unknown, configured: unknown): unknown {
  if (!isPlain(declared) || !isPlain(configured)) return configured;
  const merged: Record<PropertyKey, unknown> = { ...declared };
  for (const [key, value] of Object.entries(configured)) {
    merged[key] = Object.hasOwn(declared, key) ? overlay(declared[key], value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
