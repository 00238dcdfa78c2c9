/** Whether a value is one that `===` compares as JSON Schema does. */
export function isScalar(value: unknown): value is boolean | null | number | string {
  return value === null || Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean';
}
