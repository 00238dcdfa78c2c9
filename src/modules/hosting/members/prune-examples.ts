import { isPlainObject, type SchemaNode } from '../../../framework';
import type { compileShape } from '../../content-validation';
import { prune } from './prune';

/**
 * Removes hidden members from the examples of a schema.
 * @param shapeOf compiles what the schema hides; called if it has examples
 * @param names members that other schemas of the same value hide
 * @returns the keywords that change
 */
export function prunedExamples(
  schema: SchemaNode,
  shapeOf: (schema: SchemaNode) => ReturnType<typeof compileShape>,
  names: ReadonlySet<string>,
): SchemaNode {
  const pruned: Record<string, unknown> = {};
  for (const keyword of ['examples', 'example']) {
    const { [keyword]: examples } = schema;
    if (typeof examples !== 'object' || examples === null) continue;
    const shape = shapeOf(schema);
    const prunedOf = (one: unknown): unknown => withoutMembers(prune(one, shape), names);
    const found =
      keyword === 'examples' && Array.isArray(examples) ? mapList(examples, prunedOf) : prunedOf(examples);
    if (found !== examples) pruned[keyword] = found;
  }
  return pruned;
}

/** Removes members. Returns the same value if it has none. */
function withoutMembers(value: unknown, names: ReadonlySet<string>): unknown {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value);
  const kept = members.filter(([name]) => !names.has(name));
  return kept.length === members.length ? value : Object.fromEntries(kept);
}

/** Returns the same list if no item changes. */
function mapList(list: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((one, at) => one === list[at]) ? list : mapped;
}
