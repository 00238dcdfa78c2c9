import { isList, isPlainObject } from '../../../framework';
import { shapeByPattern, type ObjectShape, type Shape } from './object-shape';

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
    const inner = shape.members.get(name) ?? shapeByPattern(name, shape) ?? shape.others;
    if (inner !== undefined) kept.push([name, dropUnknown(member, inner)]);
  }
  const isUnchanged =
    kept.length === members.length && kept.every(([, member], at) => member === members[at]?.[1]);
  return isUnchanged ? value : Object.fromEntries(kept);
}
