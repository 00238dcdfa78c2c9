import { isList, isPlainObject } from '../../../framework';
import type { ObjectShape, Shape } from './member-shape';

/**
 * Returns a value without the members that its shape does not include; the same value if nothing is removed. What only
 * one branch of a union declares is kept: whether it is allowed, the validation decides.
 */
export function dropUnknown(value: unknown, shape: Shape): unknown {
  if (shape === 'any') return value;
  if (isList(value)) return dropInList(value, shape);
  return isPlainObject(value) && !shape.isList ? dropInObject(value, shape) : value;
}

function dropInList(list: readonly unknown[], { items, prefix }: ObjectShape): unknown {
  if (items === undefined) return list;
  const kept = list.map((item, at) => dropUnknown(item, prefix[at] ?? items));
  return kept.every((item, at) => item === list[at]) ? list : kept;
}

function dropInObject(value: Readonly<Record<string, unknown>>, shape: ObjectShape): unknown {
  const members = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [name, member] of members) {
    const inner = shapeOf(name, shape);
    if (inner !== undefined) kept.push([name, dropUnknown(member, inner)]);
  }
  const isUnchanged =
    kept.length === members.length && kept.every(([, member], at) => member === members[at]?.[1]);
  return isUnchanged ? value : Object.fromEntries(kept);
}

function shapeOf(name: string, { members, patterns, others }: ObjectShape): Shape | undefined {
  const own = members.get(name);
  if (own !== undefined) return own;
  const [matching, ...more] = patterns.filter(([pattern]) => pattern.test(name));
  if (matching === undefined) return others;
  // What one of several schemas does not declare, another may.
  return more.length === 0 ? matching[1] : 'any';
}
