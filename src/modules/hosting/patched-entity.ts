import { keysAt, memberAt } from '../../framework';
import { failedValidation, type ValidationError, type Validator } from '../content-validation';
import { asShown } from './as-shown';
import { mergePatch } from './merge-patch';

/**
 * What an entity becomes by a merge patch, when it is one then: what was sent may be right in itself, and the whole
 * not be, as where a patch begins an object that has required members. Defaults are filled in, so that what null took
 * away and every entity has gets them. A member that an entity has to have and that may be null is null where the patch
 * says so: taken away (RFC 7396, 2), it would leave no entity.
 *
 * @param isEntity checks against the schema of the entity
 * @param place of the patch in the body, as a JSON Pointer; empty where it is the body
 * @throws Problem 422 with a pointer to each member that is wrong
 */
export function patchedEntity(entity: unknown, patch: unknown, isEntity: Validator, place: string): unknown {
  // The validator changes what it is given, and parts of the entity are in it.
  const merged = copyOf(mergePatch(entity, patch));
  const checked = isEntity(merged);
  if ('value' in checked) return checked.value;
  const kept = withNulls(merged, patch, checked.errors) ?? merged;
  const again = kept === merged ? checked : isEntity(kept);
  if ('value' in again) return again.value;
  // A Date is text to clients, as whatever has a toJSON: such an entity is right when what they see of it is.
  const shown = asShown(kept);
  if (shown !== undefined && 'value' in isEntity(shown.value)) return kept;
  throw failedValidation(again.errors.map((error) => ({ ...error, pointer: place + error.pointer })));
}

/**
 * What was merged, with null for the members that are required and that the patch took away.
 * @returns undefined where there are none
 */
function withNulls(merged: unknown, patch: unknown, errors: readonly ValidationError[]): unknown {
  const taken = errors
    .filter(({ keyword, pointer }) => keyword === 'required' && memberAt(patch, keysAt(pointer)) === null)
    .map(({ pointer }) => keysAt(pointer));
  if (taken.length === 0) return undefined;
  const kept = copyOf(merged);
  for (const keys of taken) {
    const holder = memberAt(kept, keys.slice(0, -1));
    if (isRecord(holder)) {
      const name = keys.at(-1) ?? '';
      Object.defineProperty(holder, name, {
        value: null,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return kept;
}

/** A copy of objects and lists as JSON has them; all else stays what it is. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

/** An object of no class, wherever it was made. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
