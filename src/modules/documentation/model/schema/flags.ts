import type { JsonSchema } from '../data';

/** Annotations of a schema that matter to readers. */
export type SchemaFlag = 'read-only' | 'write-only' | 'deprecated';

const FLAGS = [
  ['readOnly', 'read-only'],
  ['writeOnly', 'write-only'],
  ['deprecated', 'deprecated'],
] as const;

/** Returns the flags of several schemas that apply together. */
export function flagsOf(parts: readonly JsonSchema[]): readonly SchemaFlag[] {
  return FLAGS.flatMap(([keyword, flag]) => (parts.some((part) => part[keyword] === true) ? [flag] : []));
}
