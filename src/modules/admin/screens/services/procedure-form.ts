import { isObject, objectOf, type ConfigObject } from '../../../../framework';
import { invalid, type FieldError } from '../../changes/field-errors';
import { accessText, submittedRule } from './access-text';
import { fieldRows, schemaOf, submittedRows, withEmptyRows, type FieldRow } from './field-rows';
import { parseObject } from './parse-object';

/** The content of the form of a service over a statement. */
export interface ProcedureForm {
  readonly name: string;
  readonly route: string;
  /** The name of the database. */
  readonly adapter: string;
  readonly sql: string;
  readonly isReadOnly: boolean;
  readonly result: string;
  readonly summary: string;
  readonly description: string;
  /** `guest`, `authenticated`, `nobody`, names, or `policy:name`; empty for the rule of the API. */
  readonly access: string;
  readonly parameters: readonly FieldRow[];
  /** Keys without a field of their own, as JSON. */
  readonly others: string;
}

/** Keys that the form has a field for. */
const OWN: readonly string[] = [
  ...['kind', 'route', 'adapter_name', 'sql', 'read_only', 'result', 'summary', 'description'],
  ...['authorization', 'parameters'],
];

export const RESULTS = [
  { value: '', label: 'As the statement: its rows' },
  { value: 'rows', label: 'All rows' },
  { value: 'row', label: 'The first row, or 404' },
  { value: 'value', label: 'The first column of the first row' },
  { value: 'none', label: 'Nothing (204)' },
] as const;

/** The declaration of a new service. */
export const NEW_PROCEDURE: ConfigObject = { kind: 'procedure', route: '/things/count', sql: '' };

/** Fills the form from a declaration. */
export function toProcedureForm(name: string, declaration: ConfigObject): ProcedureForm {
  const text = (key: string): string => (typeof declaration[key] === 'string' ? declaration[key] : '');
  const others = Object.entries(declaration).filter(([key]) => !OWN.includes(key));
  return {
    name,
    route: text('route'),
    adapter: text('adapter_name'),
    sql: text('sql'),
    isReadOnly: declaration.read_only !== false,
    result: text('result'),
    summary: text('summary'),
    description: text('description'),
    access: accessText(declaration.authorization),
    parameters: fieldRows({ properties: objectOf(declaration.parameters) }),
    others: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
  };
}

/** Reads a submitted form. */
export function submittedProcedure(form: URLSearchParams): ProcedureForm {
  const text = (key: string): string => (form.get(key) ?? '').trim();
  return {
    name: text('name'),
    route: text('route'),
    adapter: text('adapter_name'),
    sql: text('sql'),
    isReadOnly: form.has('read_only'),
    result: text('result'),
    summary: text('summary'),
    description: text('description'),
    access: text('access'),
    parameters: withEmptyRows(submittedRows(form)),
    others: form.get('others') ?? '',
  };
}

/** Returns the declaration of a submitted form. @throws Problem 422 for values that cannot be parsed */
export function toProcedure(form: ProcedureForm, current: ConfigObject): ConfigObject {
  const errors: FieldError[] = [];
  const others = parseObject(form.others);
  if (others === undefined) errors.push({ pointer: '/others', message: 'Write a JSON object.' });
  const own = Object.keys(others ?? {}).filter((key) => OWN.includes(key));
  if (own.length > 0)
    errors.push({ pointer: '/others', message: `Use the field of the form for ${own.join(', ')}.` });
  // An unchanged one may begin with a reference to an environment variable.
  if (form.route !== current.route && !form.route.startsWith('/'))
    errors.push({ pointer: '/route', message: 'Begin the route with "/".' });
  if (form.adapter === '') errors.push({ pointer: '/adapter_name', message: 'Choose a database.' });
  if (form.sql === '' && others?.function_name === undefined)
    errors.push({ pointer: '/sql', message: 'Write one statement, such as select count(*) from products.' });
  const { properties = {} } = schemaOf(form.parameters, { properties: current.parameters ?? {} }, errors);
  if (errors.length > 0) throw invalid(errors);
  return {
    ...others,
    kind: 'procedure',
    adapter_name: form.adapter,
    route: form.route,
    ...(form.sql === '' ? {} : { sql: form.sql }),
    ...(isObject(properties) && Object.keys(properties).length > 0 ? { parameters: properties } : {}),
    ...(form.isReadOnly && current.read_only !== true ? {} : { read_only: form.isReadOnly }),
    ...(form.result === '' ? {} : { result: form.result }),
    ...(form.summary === '' ? {} : { summary: form.summary }),
    ...(form.description === '' ? {} : { description: form.description }),
    ...submittedRule(form.access, current.authorization),
  };
}
