/**
 * Whether a method of an object is to be taken instead of another that does the same: not where a class that extends
 * has overridden that one alone, and so means something else by it.
 *
 * @example
 * class Pretty extends JsonRenderer { override render() { … } }
 * speaksFor(new Pretty(), 'steps', 'render'); // false: `steps` is that of JsonRenderer
 */
export function speaksFor(object: object, method: string, other: string): boolean {
  for (
    let from: unknown = object;
    typeof from === 'object' && from !== null;
    from = Object.getPrototypeOf(from)
  ) {
    if (Object.hasOwn(from, method)) return true;
    if (Object.hasOwn(from, other)) return false;
  }
  return false;
}
