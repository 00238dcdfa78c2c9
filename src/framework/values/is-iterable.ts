/** Whether an object can be iterated: a list, a `Map`, or `Headers`; not a text. */
export function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
