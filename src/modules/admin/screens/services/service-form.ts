import { isObject, listOf, objectOf, type ConfigObject } from '../../../../framework';
import { invalid, type FieldError } from '../../changes/field-errors';
import { accessText, submittedRule } from './access-text';
import { fieldRows, schemaOf, submittedRows, withEmptyRows, type FieldRow } from './field-rows';
import { parseObject } from './parse-object';

/** The content of the form of a service. */
export interface ServiceForm {
  readonly name: string;
  readonly route: string;
  readonly description: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly resource: string;
  readonly identifier: string;
  readonly pageSize: string;
  readonly operations: readonly OperationRow[];
  readonly fields: readonly FieldRow[];
  /** Keys without a field of their own, as JSON. */
  readonly others: string;
}

interface OperationRow {
  /** `collection.GET` */
  readonly key: string;
  readonly isChosen: boolean;
  /** `guest`, `authenticated`, `nobody`, names, or `policy:name`; empty for the rule of the service. */
  readonly access: string;
}

const REST = {
  collection: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  entity: ['GET', 'PUT', 'PATCH', 'DELETE'],
} as const;
const RPC = { methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } as const;

/** Keys that the form has a field for. */
const OWN: readonly string[] = [
  ...['route', 'description', 'tags', 'resource', 'page_size', 'fields'],
  ...['collection', 'entity', 'methods'],
];

/** The declaration of a new service: documented, and to be implemented. */
export const NEW_SERVICE: ConfigObject = {
  route: '/things[/:id]',
  route_identifier_name: 'id',
  resource: 'not-implemented',
  fields: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  collection: { GET: {} },
  entity: { GET: {} },
};

/** Whether the fields of a service follow from something else than its schema: tables, procedures. */
export function hasFields(declaration: ConfigObject): boolean {
  return (declaration.kind ?? 'rest') === 'rest' && !isObject(declaration.methods);
}

/** Fills the form from a declaration. */
export function toForm(name: string, declaration: ConfigObject): ServiceForm {
  const text = (key: string): string => {
    const value = declaration[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const others = Object.entries(declaration).filter(([key]) => !isOwn(key, declaration));
  return {
    name,
    route: text('route'),
    description: text('description'),
    tags: tagsText(declaration),
    resource: text('resource'),
    identifier: text('route_identifier_name'),
    pageSize: text('page_size'),
    operations: operationRows(declaration),
    fields: hasFields(declaration) ? fieldRows(declaration.fields) : [],
    others: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
  };
}

/** Several identifiers are edited as JSON. */
function isOwn(key: string, declaration: ConfigObject): boolean {
  if (key === 'route_identifier_name') return typeof declaration[key] === 'string';
  return key === 'fields' ? hasFields(declaration) : OWN.includes(key);
}

function operationRows(declaration: ConfigObject): readonly OperationRow[] {
  const parts = isObject(declaration.methods) ? RPC : REST;
  return Object.entries(parts).flatMap(([part, methods]) => {
    const declared = objectOf(declaration[part]);
    const all = [...new Set([...(methods as readonly string[]), ...Object.keys(declared)])];
    return all.map((method) => {
      const operation = declared[method];
      const access = isObject(operation) ? accessText(operation.authorization) : '';
      return { key: `${part}.${method}`, isChosen: isObject(operation), access };
    });
  });
}

/** Reads a submitted form. @param current the declaration that the form was filled from */
export function submittedForm(form: URLSearchParams, current: ConfigObject): ServiceForm {
  const text = (key: string): string => (form.get(key) ?? '').trim();
  const chosen = form.getAll('operations');
  return {
    name: text('name'),
    route: text('route'),
    description: text('description'),
    tags: text('tags'),
    resource: text('resource'),
    identifier: text('identifier'),
    pageSize: text('page_size'),
    operations: operationRows(current).map(({ key }) => ({
      key,
      isChosen: chosen.includes(key),
      access: text(`access/${key}`),
    })),
    fields: hasFields(current) ? withEmptyRows(submittedRows(form)) : [],
    others: form.get('others') ?? '',
  };
}

/** Returns the declaration of a submitted form. @throws Problem 422 for values that cannot be parsed */
export function toDeclaration(form: ServiceForm, current: ConfigObject): ConfigObject {
  const errors: FieldError[] = [];
  const others = parseObject(form.others);
  if (others === undefined) errors.push({ pointer: '/others', message: 'Write a JSON object.' });
  const own = Object.keys(others ?? {}).filter((key) => isOwn(key, current));
  if (own.length > 0)
    errors.push({ pointer: '/others', message: `Use the field of the form for ${own.join(', ')}.` });
  if (form.pageSize !== '' && !/^[1-9]\d{0,5}$/.test(form.pageSize))
    errors.push({ pointer: '/page_size', message: 'Enter an integer, 1 or greater.' });
  // An unchanged one may begin with a reference to an environment variable.
  if (form.route !== current.route && !form.route.startsWith('/'))
    errors.push({ pointer: '/route', message: 'Begin the route with "/".' });
  if (form.operations.every(({ isChosen }) => !isChosen))
    errors.push({ pointer: '/operations', message: 'Choose at least one operation.' });
  const declaration: ConfigObject = {
    ...others,
    route: form.route,
    ...(form.identifier === '' ? {} : { route_identifier_name: form.identifier }),
    ...(form.description === '' ? {} : { description: form.description }),
    ...submittedTags(form, current),
    ...(form.resource === '' ? {} : { resource: form.resource }),
    ...(form.pageSize === '' ? {} : { page_size: Number(form.pageSize) }),
    ...(hasFields(current) ? { fields: schemaOf(form.fields, current.fields, errors) } : {}),
    ...operationsOf(form, current),
  };
  if (errors.length > 0) throw invalid(errors);
  return declaration;
}

function tagsText({ tags }: ConfigObject): string {
  return listOf(tags).join(', ');
}

/** A text that is not changed keeps the current tags, which may contain commas. */
function submittedTags({ tags: text }: ServiceForm, current: ConfigObject): ConfigObject {
  if (current.tags !== undefined && text === tagsText(current).trim()) return { tags: current.tags };
  const tags = text.split(',').map((tag) => tag.trim());
  return text === '' ? {} : { tags: tags.filter(Boolean) };
}

/** The other keys of operations are kept. */
function operationsOf({ operations }: ServiceForm, current: ConfigObject): ConfigObject {
  const parts = new Map<string, ConfigObject>();
  for (const { key, isChosen, access } of operations) {
    const [part = '', method = ''] = key.split('.');
    if (!isChosen) continue;
    const { authorization, ...kept } = objectOf(objectOf(current[part])[method]);
    const handler = part === 'methods' && kept.handler === undefined ? { handler: 'not-implemented' } : {};
    const rule = submittedRule(access, authorization);
    parts.set(part, { ...parts.get(part), [method]: { ...kept, ...handler, ...rule } });
  }
  return Object.fromEntries(parts);
}
