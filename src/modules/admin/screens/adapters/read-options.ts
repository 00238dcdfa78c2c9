import { objectOf, valueAt, type ConfigObject, type ConfigValue, errorMessage } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import { MASK } from '../../changes/comparison/difference';
import type { OptionField } from './option-field';

/** The options of a submitted form. */
export interface SubmittedOptions {
  /** With the active values of those that cannot be parsed. */
  readonly options: ConfigObject;
  /** Values that cannot be parsed; the schema is checked later. */
  readonly errors: readonly FieldError[];
}

/** An option that is not set. */
const UNSET = undefined;

/**
 * Reads options from a form.
 * @param current the active options with masked secrets: an empty field keeps a secret, and an empty option stays empty
 */
export function readOptions(
  fields: readonly OptionField[],
  form: URLSearchParams,
  current: ConfigObject = {},
): SubmittedOptions {
  const errors: FieldError[] = [];
  const options: Record<string, ConfigValue> = {};
  for (const field of fields) {
    const active = valueAt(current, field.path);
    const result = readField(field, form, active);
    if ('error' in result) errors.push({ pointer: field.name, message: result.error });
    const value = 'error' in result ? active : result.value;
    if (value !== UNSET) setOption(options, field.path, value);
  }
  return { options, errors };
}

type ReadResult = { readonly value: ConfigValue | undefined } | { readonly error: string };

function readField(field: OptionField, form: URLSearchParams, current: ConfigValue | undefined): ReadResult {
  const input = form.get(field.name) ?? '';
  switch (field.control) {
    case 'text':
      // An empty option stays empty rather than being removed.
      return { value: input !== '' || field.isRequired || current === '' ? input : UNSET };
    case 'secret':
      return { value: input !== '' ? input : current === undefined ? UNSET : MASK };
    case 'number':
      return readNumber(input);
    case 'checkbox':
      return { value: readCheckbox(field, input !== '', current) };
    case 'select':
      return { value: readChoice(field, input) };
    case 'checkboxes': {
      const chosen = form.getAll(field.name);
      const values = field.choices
        .filter(({ value }) => chosen.includes(value))
        .map((one) => one.configValue);
      return { value: list(inOrderOf(current, values), field, current) };
    }
    case 'lines': {
      const lines = input.split(/\r?\n/).map((line) => line.trim());
      return { value: list(lines.filter(Boolean), field, current) };
    }
    case 'secret-json':
      return input.trim() === '' && current !== undefined ? { value: MASK } : readJson(input);
    case 'json':
      return readJson(input);
  }
}

/** A choice may be null. */
function readChoice({ choices }: OptionField, input: string): ConfigValue | undefined {
  const found = choices.find(({ value }) => value === input);
  return found === undefined ? input || UNSET : found.configValue;
}

/** An option that is not set stays away if its default is what is chosen. */
function readCheckbox(
  { isRequired, isOnByDefault }: OptionField,
  isChecked: boolean,
  current: ConfigValue | undefined,
): boolean | undefined {
  const isDefault = isChecked === isOnByDefault;
  return isDefault && !isRequired && current !== isChecked ? UNSET : isChecked;
}

/** Keeps the order of values that were selected before: another order would be a change. */
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
  return members.length > 0 || isRequired || wasEmpty ? members : UNSET;
}

function readNumber(input: string): ReadResult {
  const text = input.trim();
  if (text === '') return { value: UNSET };
  const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
  return isNumber ? { value: Number(text) } : { error: 'Enter a number.' };
}

function readJson(input: string): ReadResult {
  if (input.trim() === '') return { value: UNSET };
  try {
    const value: ConfigValue = JSON.parse(input, withoutProto) as ConfigValue;
    return { value };
  } catch (error) {
    return { error: `Invalid JSON: ${errorMessage(error)}.` };
  }
}

/** Copying an object would lose a member of this name. */
function withoutProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new TypeError('__proto__ is not an allowed member name');
  return value;
}

function setOption(options: Record<string, ConfigValue>, path: readonly string[], value: ConfigValue): void {
  const [key, inner] = path;
  if (key === undefined) {
    const others = Object.entries(objectOf(value)).filter(([name]) => !Object.hasOwn(options, name));
    for (const [name, member] of others) options[name] = member;
  } else if (inner === undefined) options[key] = value;
  else {
    const holder = options[key];
    options[key] = { ...objectOf(holder), [inner]: value };
  }
}
