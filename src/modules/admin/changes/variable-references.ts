import {
  isObject,
  formatPointer,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import { invalid } from './field-errors';
import type { Change } from './change';

/** Where a value names an environment variable, as the configuration files do. */
const REFERENCE = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/;

/** The same sentence whatever is named, so that it does not tell which variables are set. */
const MESSAGE =
  'References to environment variables (${NAME}) cannot be added here. Enter the value itself, or add the reference to config/autoload/local.json by hand.';

/** Whether a value, or a value in it, names an environment variable. */
export function hasReference(value: ConfigValue): boolean {
  return newReferences([], value, undefined).length > 0;
}

/**
 * Refuses a change that adds a reference to an environment variable: whether it could be applied would tell whether
 * the variable is set, and what is then shown could be its value. References that the file has at that place may stay,
 * and come back with a revision.
 *
 * @param before what the file says before the change
 * @throws Problem 422 with the place of each
 */
export function assertNoNewReferences({ edits, subject, isUndoing }: Change, before: ConfigObject): void {
  if (isUndoing === true) return;
  const errors = edits
    .flatMap(({ path, value }) => newReferences(path, value, valueAt(before, path)))
    .map((path) => ({ pointer: pointerFrom(subject, path), message: MESSAGE }));
  if (errors.length > 0) throw invalid(errors);
}

function newReferences(
  path: KeyPath,
  value: ConfigValue | undefined,
  before: ConfigValue | undefined,
): readonly KeyPath[] {
  if (typeof value === 'string') return REFERENCE.test(value) && value !== before ? [path] : [];
  if (Array.isArray(value)) {
    const there: readonly unknown[] = Array.isArray(before) ? before : [];
    return value.flatMap((one: ConfigValue, at) =>
      newReferences([...path, at], one, there.includes(one) ? one : undefined),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    newReferences([...path, key], one, isObject(before) ? valueAt(before, [key]) : undefined),
  );
}

/** As the fields of what was sent are named: from what is changed. */
function pointerFrom(subject: KeyPath, path: KeyPath): string {
  const isBelow = subject.every((key, at) => path[at] === key);
  return formatPointer(isBelow ? path.slice(subject.length) : path);
}
