import { isPlainObject, parsePointer, memberAt } from '../../../../framework';
import { failedValidation, type ValidationError, type Validator } from '../../../content-validation';
import { toJsonValue } from '../../schema/to-json-value';
import { mergePatch } from './merge-patch';

/**
 * Applies a merge patch to an entity and validates the result: a valid patch can still produce an invalid entity,
 * such as an incomplete nested object. Defaults replace removed members. A required member that may be null becomes
 * null when the patch removes it, as removing it (RFC 7396, 2) would leave an invalid entity.
 *
 * @param isEntity validates against the entity schema
 * @param findPointer returns the position of the patch in the body, as a JSON Pointer; empty if it is the whole body
 * @throws Problem 422 with a pointer to each invalid member
 */
export function patchedEntity(
  entity: unknown,
  patch: unknown,
  isEntity: Validator,
  findPointer: () => string,
): unknown {
  // The validator modifies its input, which shares parts with the entity.
  const merged = cloneJson(mergePatch(entity, patch));
  const checked = isEntity(merged);
  if ('value' in checked) return checked.value;
  const kept = withNulls(merged, patch, checked.errors) ?? merged;
  const again = kept === merged ? checked : isEntity(kept);
  if ('value' in again) return again.value;
  // Clients see a Date, or anything with toJSON, as text: validate what they see.
  const serialized = toJsonValue(kept);
  if (serialized !== undefined && 'value' in isEntity(serialized.value)) return kept;
  const position = findPointer();
  throw failedValidation(again.errors.map((error) => ({ ...error, pointer: position + error.pointer })));
}

/** Sets the required members that the patch removed to null. @returns undefined where there are none */
function withNulls(merged: unknown, patch: unknown, errors: readonly ValidationError[]): unknown {
  const removed = errors
    .filter(
      ({ keyword, pointer }) => keyword === 'required' && memberAt(patch, parsePointer(pointer)) === null,
    )
    .map(({ pointer }) => parsePointer(pointer));
  if (removed.length === 0) return undefined;
  const kept = cloneJson(merged);
  for (const keys of removed) {
    const parent = memberAt(kept, keys.slice(0, -1));
    if (isPlainObject(parent)) {
      const name = keys.at(-1) ?? '';
      Object.defineProperty(parent, name, {
        value: null,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return kept;
}

/** Deeply copies plain objects and arrays; other values are shared. */
function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cloneJson(member)]));
}
