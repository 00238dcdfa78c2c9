import { hasToJson, isObject } from '../../../../framework';

/**
 * A merge patch (RFC 7396) of an object: absent members stay, null removes an optional or undeclared member,
 * objects are merged, everything else replaces.
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

/** The result of a merge patch: an object keeps its members, but not its class or methods. */
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
 * Applies a merge patch (RFC 7396, 2). Neither argument is modified; unchanged parts are shared. As the patch is
 * about JSON, an instance of a class becomes a plain object of its own members, without methods, getters and
 * private members.
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
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** Whether JSON has a value as an object: a date, for example, is a text. */
function isJsonObject(value: unknown): value is object {
  return isObject(value) && (!hasToJson(value) || isObject(value.toJSON('')));
}
