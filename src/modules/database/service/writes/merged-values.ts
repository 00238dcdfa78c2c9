import { formatPointer } from '../../../../framework';
import { failedValidation, type ValidationError } from '../../../content-validation';
import { mergePatch } from '../../../hosting';
import { formatExactJson } from '../../schema/exact-json';
import type { Entity } from '../entity-mapper';

/**
 * Merges JSON values of a patch into the stored ones (RFC 7396).
 * @param names the columns of these values
 * @param limit bytes of a value: without it, one would grow with each patch until nobody can read it
 * @throws Problem 422 for a value that grows beyond the limit
 */
export function mergedValues(names: readonly string[], patch: Entity, stored: Entity, limit: number): Entity {
  const merged = names.map((name): [string, unknown] => [name, mergePatch(stored[name], patch[name])]);
  const errors = merged.flatMap(([name, value]): readonly ValidationError[] => {
    const size = bytesOf(value);
    // A value that another program has stored can be reduced in several steps.
    if (size <= limit || size < bytesOf(stored[name])) return [];
    const message = `would have ${size} bytes with the patch; at most ${limit} are allowed`;
    return [{ pointer: formatPointer([name]), keyword: 'size', message }];
  });
  if (errors.length > 0) throw failedValidation(errors);
  return Object.fromEntries(merged);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(formatExactJson(value));
}
