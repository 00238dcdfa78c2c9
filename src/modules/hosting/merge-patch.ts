/**
 * A merge patch (RFC 7396) of an object: members that are not there stay as they are, null takes away one that is
 * optional, or that is there by a name that nobody declared, objects are merged, everything else replaces.
 */
export type MergePatch<Value> = {
  readonly [Name in keyof Value]?:
    | MergedMember<Exclude<Value[Name], undefined>>
    | (undefined extends Value[Name]
        ? null
        : Partial<Record<Name, unknown>> extends Record<Name, unknown>
          ? null
          : never);
};

type MergedMember<Value> = unknown extends Value
  ? unknown
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? MergePatch<Value>
      : Value;

/** What a merge patch makes of a value: an object has its members, but neither its class nor its methods. */
type Merged<Target> = Target extends readonly unknown[]
  ? Target
  : Target extends object
    ? {
        [
          Name in keyof Target as Target[Name] extends (...args: never) => unknown ? never : Name
        ]: Target[Name];
      }
    : Target;

/**
 * What a value becomes by a merge patch (RFC 7396, 2). Neither is changed; parts that stay are shared. The patch is
 * about JSON, which knows no classes: an instance of one becomes a plain object of its own members, without methods,
 * getters and private members. Where the class matters, make one of what is returned.
 *
 * @example
 * patch(id, data) {
 *   const product = this.#products.get(id);
 *   return product === undefined ? undefined : this.#keep(mergePatch(product, data));
 * }
 */
export function mergePatch<Target>(target: Target, patch: MergePatch<Target>): Merged<Target>;
export function mergePatch(target: unknown, patch: unknown): unknown;
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
