/** Returns whether a value is a class of a program, which cannot be called without `new`. */
export function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b(?!\s*\()/.test(Function.prototype.toString.call(value));
}
