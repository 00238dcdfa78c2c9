import {
  listOf,
  isObject,
  formatPointer,
  hasKeyPrefix,
  referencedNames,
  valueAt,
  type ConfigObject,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { invalid } from '../field-errors';
import type { Change, CopyEdit } from '../change';

/** Constant, so that it does not reveal which variables are set. */
const MESSAGE =
  'References to environment variables (${NAME}) cannot be added here. Enter the value itself, or add the reference to config/autoload/local.json by hand. The text ${NAME} itself is written as $${NAME}.';

/**
 * Rejects references to environment variables that a change adds: they would reveal whether a variable is set, and
 * possibly its value. References that the file already has at the same path, or another file if this one has nothing there,
 * that are copied with what contains them, or that an undo restores, are allowed.
 *
 * @param before the content of the file before the change
 * @param running what copies are made from, and what other files have
 * @throws Problem 422 with the JSON Pointer of each
 */
export function assertNoNewReferences(
  { edits, subject, isUndoing }: Change,
  before: ConfigObject,
  running: Configuration,
): void {
  if (isUndoing === true) return;
  const formerOf = ({ path, copyOf }: CopyEdit): ConfigValue | undefined =>
    copyOf === undefined ? (valueAt(before, path) ?? running.writtenAt(path)) : running.writtenAt(copyOf);
  const errors = edits
    .flatMap((edit) => newReferences(edit.path, edit.value, formerOf(edit)))
    .map((path) => ({ pointer: pointerFrom(subject, path), message: MESSAGE }));
  if (errors.length > 0) throw invalid(errors);
}

function newReferences(
  path: KeyPath,
  value: ConfigValue | undefined,
  before: ConfigValue | undefined,
): readonly KeyPath[] {
  if (typeof value === 'string') return referencedNames(value).length > 0 && value !== before ? [path] : [];
  if (Array.isArray(value)) {
    const previous = listOf(before);
    return value.flatMap((one: ConfigValue, at) =>
      newReferences([...path, at], one, previous.includes(one) ? one : undefined),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    newReferences([...path, key], one, isObject(before) ? valueAt(before, [key]) : undefined),
  );
}

/** Returns the JSON Pointer of a path relative to the subject, as fields of the input are addressed. */
function pointerFrom(subject: KeyPath, path: KeyPath): string {
  return formatPointer(hasKeyPrefix(path, subject) ? path.slice(subject.length) : path);
}
