import { formatPointer, hasToJson } from '../../../framework';
import { HypermediaCollection, HypermediaEntity, toPlain } from '../../content-negotiation';
import { isHidden, type ObjectShape, type Shape } from '../../content-validation';
import { EMBEDDED, isBoxed, isJsonRepresentable, itemsShape, undeclaredShape } from './prune';

/**
 * Returns JSON Pointers of undeclared members; `*` stands for list items. Members that are never sent, such as
 * passwords, are not included.
 */
export function findUndeclaredMembers(value: unknown, shape: Shape): readonly string[] {
  return [...new Set(find(value, shape, ''))];
}

function* find(value: unknown, shape: Shape, pointer: string): Iterable<string> {
  if (shape === 'any' || typeof value !== 'object' || value === null || isBoxed(value)) return;
  if (value instanceof HypermediaCollection) {
    yield* find(value.items, itemsShape(value, shape), pointer);
  } else if (Array.isArray(value) && !hasToJson(value)) {
    const { items = shape, prefix } = shape;
    const list: readonly unknown[] = value;
    for (const [at, item] of list.entries()) yield* find(item, prefix[at] ?? items, `${pointer}/*`);
  } else if (value instanceof HypermediaEntity || hasToJson(value)) {
    const plain: unknown = value instanceof HypermediaEntity ? value.content : toPlain(value);
    if (plain === value) yield* findInObject(value, shape, pointer);
    else yield* find(plain, shape, pointer);
  } else yield* findInObject(value, shape, pointer);
}

function* findInObject(value: object, shape: ObjectShape, pointer: string): Iterable<string> {
  if (shape.isList) {
    yield* find(value, shape.items ?? 'any', pointer);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (isHidden(name, shape) || !isJsonRepresentable(member)) continue;
    const inner = shape.members.get(name) ?? undeclaredShape(name, member, shape);
    const memberPointer = pointer + formatPointer([name]);
    if (inner === undefined) yield memberPointer;
    else if (name !== EMBEDDED) yield* find(member, inner, memberPointer);
  }
}
