import { isObject, listOf, objectOf, type ConfigObject, type ConfigValue } from '../../../../framework';
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
      description: typeof description === 'string' ? description : '',
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

/** Returns the schema of the fields; rows without a name are removed fields. @param errors receives invalid rows */
export function schemaOf(rows: readonly FieldRow[], current: unknown, errors: FieldError[]): ConfigObject {
  const { properties: _, required: __, ...others } = objectOf(current as ConfigValue);
  const properties = new Map<string, ConfigObject>();
  for (const [at, row] of rows.entries()) {
    if (row.name === '') continue;
    const message = nameError(row.name, properties);
    if (message !== undefined) errors.push({ pointer: `/fields/${at}/name`, message });
    const constraints = parseObject(row.constraints);
    if (constraints === undefined)
      errors.push({
        pointer: `/fields/${at}/constraints`,
        message: 'Write a JSON object of JSON Schema keywords, such as {"minLength": 1}.',
      });
    properties.set(row.name, {
      ...(row.type === '' ? {} : { type: row.type }),
      ...(row.description === '' ? {} : { description: row.description }),
      ...constraints,
    });
  }
  const required = rows.filter(({ name, isRequired }) => name !== '' && isRequired).map(({ name }) => name);
  return {
    ...(isObject(others) ? others : {}),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

function nameError(name: string, taken: ReadonlyMap<string, unknown>): string | undefined {
  const tooLong = nameTooLong(name);
  if (tooLong !== undefined) return tooLong;
  if (!NAME.test(name)) return 'Use letters, digits, "_", "." and "-", starting with a letter or "_".';
  return taken.has(name) ? `The field "${name}" exists twice. Rename one.` : undefined;
}
