import { failedValidation, type Validator } from '../content-validation';
import { asShown } from './as-shown';
import { mergePatch } from './merge-patch';

/**
 * What an entity becomes by a merge patch, when it is one then: what was sent may be right in itself, and the whole
 * not be, as where a patch begins an object that has required members. Defaults are filled in, so that what null took
 * away and every entity has gets them.
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
  // A Date is text to clients, as whatever has a toJSON: such an entity is right when what they see of it is.
  const shown = asShown(merged);
  if (shown !== undefined && 'value' in isEntity(shown.value)) return merged;
  throw failedValidation(checked.errors.map((error) => ({ ...error, pointer: place + error.pointer })));
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
