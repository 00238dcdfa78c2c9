import { isSchema, keysAt } from '../../../framework';
import type { JsonSchema } from './data';

/**
 * What a `$ref` points to within its own document: `#`, a JSON Pointer (`#/$defs/Node`), or the `$id` of a
 * schema inside (as TypeBox writes recursive types). Undefined for everything outside the document.
 */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === '#' || reference === root.$id) return root;
  const target = reference.startsWith('#/') ? atPointer(root, reference) : withId(root, reference);
  return isSchema(target) ? target : undefined;
}

function atPointer(root: JsonSchema, reference: string): unknown {
  let value: unknown = root;
  for (const member of keysAt(reference)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, member)?.value;
  }
  return value;
}

function withId(value: unknown, id: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && '$id' in value && value.$id === id) return value;
  for (const member of Object.values(value) as unknown[]) {
    const found = withId(member, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
