import { listOf, objectOf, type ConfigObject, type ConfigValue } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import { nameTooLong } from '../../changes/name-length';
import { parseObject } from './parse-object';

/** A field of an entity in the form. */
export interface FieldRow {
  readonly name: string;
  /** Empty for a type that the form does not offer: the constraints contain it. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The other keywords of its schema, as JSON. */
  readonly constraints: string;
}

export const FIELD_TYPES: readonly string[] = ['string', 'integer', 'number', 'boolean', 'array', 'object'];

/** Empty rows for further fields: the form works without JavaScript. */
const EMPTY_ROWS = 3;
const EMPTY: FieldRow = { name: '', type: 'string', isRequired: false, description: '', constraints: '' };

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Returns the fields of a schema, and empty rows. */
export function fieldRows(schema: unknown): readonly FieldRow[] {
  const { properties, required } = objectOf(schema as ConfigValue);
  const rows = Object.entries(objectOf(properties)).map(([name, property]): FieldRow => {
    const { type, description, ...others } = objectOf(property);
    const isOffered = typeof type === 'string' && FIELD_TYPES.includes(type);
    const rest: ConfigObject = isOffered || type === undefined ? others : { type, ...others };
    return {
      name,
      type: isOffered ? type : '',
      isRequired: listOf(required).includes(name),
      description: typeof description === 'string' ? description.trim() : '',
      constraints: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
    };
  });
  return withEmptyRows(rows);
}

/** Reads the rows of a submitted form. */
export function submittedRows(form: URLSearchParams): readonly FieldRow[] {
  const rows: FieldRow[] = [];
  for (let at = 0; form.has(`fields/${at}/name`); at++) {
    const text = (key: string): string => (form.get(`fields/${at}/${key}`) ?? '').trim();
    rows.push({
      name: text('name'),
      type: text('type'),
      isRequired: form.has(`fields/${at}/required`),
      description: text('description'),
      constraints: text('constraints'),
    });
  }
  return rows;
}

/** Adds the empty rows. */
export function withEmptyRows(rows: readonly FieldRow[]): readonly FieldRow[] {
  const used = rows.filter(({ name }) => name !== '').length;
  const missing = Math.max(0, used + EMPTY_ROWS - rows.length);
  return [...rows, ...Array.from({ length: missing }, () => EMPTY)];
}

/**
 * Returns the schema of the fields; rows without a name are removed fields. What the rows do not show is kept: the current
 * schema, or that of a field, if its rows are as they were filled.
 *
 * @param errors receives invalid rows
 */
export function schemaOf(rows: readonly FieldRow[], current: unknown, errors: FieldError[]): ConfigObject {
  const { required: _, ...others } = objectOf(current as ConfigValue);
  const known = objectOf(others.properties);
  const [filled, named] = [namedIn(fieldRows(current)), namedIn(rows)];
  const isSame = named.every((row, at) => isSameRow(row, filled[at]));
  if (isSame && named.length === filled.length) return objectOf(current as ConfigValue);
  const properties = new Map<string, ConfigValue>();
  for (const [at, row] of rows.entries()) {
    if (row.name === '') continue;
    const message = nameError(row.name, properties, known);
    if (message !== undefined) errors.push({ pointer: `/fields/${at}/name`, message });
    const constraints = parseObject(row.constraints);
    if (constraints === undefined)
      errors.push({
        pointer: `/fields/${at}/constraints`,
        message: 'Write a JSON object of JSON Schema keywords, such as {"minLength": 1}.',
      });
    const isUnchanged = filled.some((one) => isSameRow({ ...one, isRequired: row.isRequired }, row));
    const schema = {
      ...(row.type === '' ? {} : { type: row.type }),
      ...(row.description === '' ? {} : { description: row.description }),
      ...constraints,
    };
    properties.set(row.name, isUnchanged ? (known[row.name] ?? schema) : schema);
  }
  const required = requiredNames(named, current);
  return {
    ...others,
    type: others.type ?? 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

function namedIn(rows: readonly FieldRow[]): readonly FieldRow[] {
  return rows.filter(({ name }) => name !== '');
}

function isSameRow(one: FieldRow, other: FieldRow | undefined): boolean {
  const keys = ['name', 'type', 'isRequired', 'description', 'constraints'] as const;
  return keys.every((key) => one[key] === other?.[key]);
}

/** In the current order; names without a field of the current schema are kept. */
function requiredNames(rows: readonly FieldRow[], current: unknown): readonly string[] {
  const { properties, required } = objectOf(current as ConfigValue);
  const chosen = rows.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const hasField = (name: string): boolean =>
    Object.hasOwn(objectOf(properties), name) || rows.some((row) => row.name === name);
  const kept = listOf(required)
    .map(String)
    .filter((name) => chosen.includes(name) || !hasField(name));
  return [...kept, ...chosen.filter((name) => !kept.includes(name))];
}

/** @param known the current fields, whose names the form does not choose */
function nameError(
  name: string,
  taken: ReadonlyMap<string, unknown>,
  known: ConfigObject,
): string | undefined {
  if (taken.has(name)) return `The field "${name}" exists twice. Rename one.`;
  if (Object.hasOwn(known, name)) return undefined;
  const tooLong = nameTooLong(name);
  if (tooLong !== undefined) return tooLong;
  return NAME.test(name)
    ? undefined
    : 'Use letters, digits, "_", "." and "-", starting with a letter or "_".';
}
