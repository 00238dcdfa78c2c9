import { isObject, valueAt, type ConfigObject, type ConfigValue } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import { MASK } from '../../changes/difference';
import type { OptionField } from './option-field';

/** Options as somebody typed them. */
export interface TypedOptions {
  readonly options: ConfigObject;
  /** What is not what it should be even before a schema looks at it. */
  readonly errors: readonly FieldError[];
}

/** What is not set, or left as it was where it is a secret. */
const NOTHING = undefined;

/**
 * Reads the options out of a form.
 * @param current the options in force, secrets masked: a secret that is left empty stays, and what is empty there
 *   stays empty
 */
export function readOptions(
  fields: readonly OptionField[],
  form: URLSearchParams,
  current: ConfigObject = {},
): TypedOptions {
  const errors: FieldError[] = [];
  const options: Record<string, ConfigValue> = {};
  for (const field of fields) {
    const read = readField(field, form, valueAt(current, field.path));
    if ('error' in read) errors.push({ pointer: field.name, message: read.error });
    else if (read.value !== NOTHING) put(options, field.path, read.value);
  }
  return { options, errors };
}

type Read = { readonly value: ConfigValue | undefined } | { readonly error: string };

function readField(field: OptionField, form: URLSearchParams, current: ConfigValue | undefined): Read {
  const typed = form.get(field.name) ?? '';
  switch (field.control) {
    case 'text':
      // An option that may be empty stays empty instead of going.
      return { value: typed !== '' || field.isRequired || current === '' ? typed : NOTHING };
    case 'secret':
      return { value: typed !== '' ? typed : current === undefined ? NOTHING : MASK };
    case 'number':
      return readNumber(typed);
    case 'checkbox':
      if (typed !== '') return { value: true };
      return { value: field.isRequired || current === false ? false : NOTHING };
    case 'select':
      return { value: field.choices.find(({ value }) => value === typed)?.meant ?? (typed || NOTHING) };
    case 'checkboxes': {
      const chosen = form.getAll(field.name);
      const meant = field.choices.filter(({ value }) => chosen.includes(value)).map((one) => one.meant);
      return { value: list(inOrderOf(current, meant), field, current) };
    }
    case 'lines': {
      const lines = typed.split(/\r?\n/).map((line) => line.trim());
      return { value: list(lines.filter(Boolean), field, current) };
    }
    case 'secret-json':
      return typed.trim() === '' && current !== undefined ? { value: MASK } : readJson(typed);
    case 'json':
      return readJson(typed);
  }
}

/** What was chosen before keeps its order: another one would look like a change. */
function inOrderOf(current: ConfigValue | undefined, chosen: readonly ConfigValue[]): readonly ConfigValue[] {
  const before: readonly ConfigValue[] = Array.isArray(current) ? current : [];
  return [...before.filter((one) => chosen.includes(one)), ...chosen.filter((one) => !before.includes(one))];
}

function list(
  members: readonly ConfigValue[],
  { isRequired }: OptionField,
  current: ConfigValue | undefined,
): ConfigValue | undefined {
  const wasEmpty = Array.isArray(current) && current.length === 0;
  return members.length > 0 || isRequired || wasEmpty ? members : NOTHING;
}

function readNumber(typed: string): Read {
  const text = typed.trim();
  if (text === '') return { value: NOTHING };
  return /^-?\d+(\.\d+)?$/.test(text) ? { value: Number(text) } : { error: 'Enter a number.' };
}

function readJson(typed: string): Read {
  if (typed.trim() === '') return { value: NOTHING };
  try {
    const value: ConfigValue = JSON.parse(typed, withoutProto) as ConfigValue;
    return { value };
  } catch (error) {
    return { error: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** A member of that name would be no member once it is copied. */
function withoutProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new TypeError('__proto__ is not an allowed member name');
  return value;
}

function put(options: Record<string, ConfigValue>, path: readonly string[], value: ConfigValue): void {
  const [key, inner] = path;
  if (key === undefined) {
    if (isObject(value)) for (const [name, member] of Object.entries(value)) options[name] ??= member;
  } else if (inner === undefined) options[key] = value;
  else {
    const holder = options[key];
    options[key] = { ...(isObject(holder) ? holder : {}), [inner]: value };
  }
}
