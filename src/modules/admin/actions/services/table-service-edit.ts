import { isDeepStrictEqual } from 'node:util';
import { isObject, listOf, objectOf, type ConfigObject, type ConfigValue } from '../../../../framework';
import { isSameValue } from '../../changes/comparison/same-value';
import {
  declarationOf,
  isOperationName,
  operationNames,
  OPERATIONS,
  READING,
  routeParameters,
  type OperationName,
  type TableServiceInput,
} from './table-service-input';

/** The defaults of keys that a declaration may omit. */
const DEFAULTS = { collection_name: 'items', page_size: 25 } as const;

/** Keys of a declaration that {@link TableServiceInput} describes. */
const OWN: readonly string[] = [
  ...['kind', 'adapter_name', 'table_name', 'description', 'route', 'route_identifier_name'],
  ...['entity_identifier_name', 'collection_name', 'page_size', 'columns', 'filters', 'collection', 'entity'],
];

/** The access rules of the operations of a service: one for all that read, and one for all that write. */
interface AccessRules {
  readonly read: ConfigValue | undefined;
  readonly write: ConfigValue | undefined;
  /** Whether operations of a kind have different rules, or one that is more than a word. */
  readonly isReadMixed: boolean;
  readonly isWriteMixed: boolean;
}

/** An edited service over a table. */
export interface EditedTableService {
  readonly input: TableServiceInput;
  /** Whether the rules of reading, and of writing, stay as they are. */
  readonly keeps: { readonly read: boolean; readonly write: boolean };
  /** All other keys of the declaration. */
  readonly others: ConfigObject;
}

/** Converts a declaration to what the form of a service edits. */
export function toEdited(
  place: Pick<TableServiceInput, 'api' | 'version' | 'name'>,
  declaration: ConfigObject,
): EditedTableService {
  const text = (key: string): string => (typeof declaration[key] === 'string' ? declaration[key] : '');
  const columns = Object.entries(objectOf(declaration.columns)).filter(([, value]) => isObject(value));
  const filters = Object.entries(objectOf(declaration.filters)).map(
    ([name, operators]) => [name, listOf(operators).map(String)] as const,
  );
  const access = accessRules(declaration);
  const input: TableServiceInput = {
    ...place,
    adapter: text('adapter_name'),
    table: text('table_name'),
    description: text('description'),
    route: text('route'),
    identifier: identifierOf(declaration),
    collectionName: text('collection_name') || DEFAULTS.collection_name,
    pageSize: typeof declaration.page_size === 'number' ? declaration.page_size : DEFAULTS.page_size,
    columns: columns.map(([name]) => name),
    readOnly: columns.filter(([, value]) => objectOf(value).read_only === true).map(([name]) => name),
    filters: Object.fromEntries(filters),
    sort: listOf(objectOf(objectOf(declaration.collection).GET).sort).map(String),
    operations: operationNames.filter((name) => isObject(operationOf(declaration, name))),
    readAccess: wordOf(access.read),
    writeAccess: wordOf(access.write),
  };
  const others = Object.entries(declaration).filter(([key]) => !OWN.includes(key));
  const keeps = { read: access.isReadMixed, write: access.isWriteMixed };
  return { input, keeps, others: Object.fromEntries(others) };
}

/** Returns the declaration of an edited service: what the form does not show is kept. */
export function mergedDeclaration(
  current: ConfigObject,
  { input: given, keeps, others }: EditedTableService,
): ConfigObject {
  const input = inOrderOf(toEdited(given, current).input, given);
  const edited = declarationOf(input);
  const columns = input.columns.map((name) => {
    const column = objectOf(objectOf(current.columns)[name]);
    const { read_only: before, ...kept } = column;
    const isReadOnly = input.readOnly.includes(name);
    if ((before === true) === isReadOnly) return [name, column] as const;
    return [name, { ...kept, ...(isReadOnly ? { read_only: true } : {}) }] as const;
  });
  const parameters = routeParameters(input.route);
  const isUnchanged =
    isDeepStrictEqual(identifierOf(current), input.identifier) &&
    namesIn(current.route_identifier_name).every((name) => parameters.includes(name));
  const identifiers = ['route_identifier_name', 'entity_identifier_name'].filter(
    (key) => current[key] !== undefined,
  );
  const omitted = Object.entries(DEFAULTS).filter(
    ([key, value]) => current[key] === undefined && edited[key] === value,
  );
  const merged: ConfigObject = {
    ...others,
    ...edited,
    ...(isUnchanged ? Object.fromEntries(identifiers.map((key) => [key, current[key] as ConfigValue])) : {}),
    columns: Object.fromEntries(columns),
    ...operationsIn('collection', current, input, keeps),
    ...operationsIn('entity', current, input, keeps),
  };
  return Object.fromEntries(Object.entries(merged).filter(([key]) => !omitted.some(([one]) => one === key)));
}

/** Forms have an order of their own: what is kept is not moved. */
function inOrderOf(before: TableServiceInput, input: TableServiceInput): TableServiceInput {
  const former = new Map(Object.entries(before.filters));
  const filters = Object.entries(input.filters).map(
    ([name, operators]) => [name, keptFirst(former.get(name), operators)] as const,
  );
  return { ...input, filters: Object.fromEntries(filters), sort: keptFirst(before.sort, input.sort) };
}

function keptFirst(before: readonly string[] = [], now: readonly string[]): readonly string[] {
  const kept = before.filter((one) => now.includes(one));
  return [...kept, ...now.filter((one) => !kept.includes(one))];
}

function identifierOf(declaration: ConfigObject): readonly string[] {
  return namesIn(declaration.entity_identifier_name ?? declaration.route_identifier_name);
}

function namesIn(name: ConfigValue | undefined): readonly string[] {
  return typeof name === 'string' ? [name] : listOf(name).map(String);
}

function operationOf(declaration: ConfigObject, name: OperationName): ConfigValue | undefined {
  const { part, method } = OPERATIONS[name];
  return objectOf(declaration[part])[method];
}

/** Operations that the form does not offer, such as those of lists, and further keys of operations are kept. */
function operationsIn(
  part: 'collection' | 'entity',
  current: ConfigObject,
  input: TableServiceInput,
  keeps: EditedTableService['keeps'],
): ConfigObject {
  const edited = objectOf(declarationOf(input)[part]);
  const own = operationNames.filter((name) => OPERATIONS[name].part === part);
  const before = objectOf(current[part]);
  const others = Object.entries(before).filter(([method]) =>
    own.every((name) => OPERATIONS[name].method !== method),
  );
  const chosen = own.filter((name) => input.operations.filter(isOperationName).includes(name));
  const operations = chosen.map((name) => {
    const { method } = OPERATIONS[name];
    const { sort: _, authorization, ...kept } = objectOf(before[method]);
    const { authorization: rule, ...more } = objectOf(edited[method]);
    const isReading = READING.includes(name);
    const keptRule = isObject(before[method]) ? authorization : ruleOfNew(current, isReading);
    const access = (isReading ? keeps.read : keeps.write) ? keptRule : rule;
    return [
      method,
      { ...kept, ...more, ...(access === undefined ? {} : { authorization: access }) },
    ] as const;
  });
  const all = [...operations, ...others];
  return all.length === 0 ? {} : { [part]: Object.fromEntries(all) };
}

/**
 * The rule of an operation that is new among those that keep their rules; without it, it might be open to everyone. It is
 * not weaker than all of theirs.
 */
function ruleOfNew(current: ConfigObject, isReading: boolean): ConfigValue | undefined {
  const rules = rulesOf(current, isReading);
  const [first, ...others] = rules;
  if (others.every((rule) => isSameValue(rule, first))) return first;
  // That of the service applies.
  if (namesUsers(current.authorization)) return undefined;
  return rules.every((rule) => namesUsers(rule)) ? first : 'authenticated';
}

/** Whether a rule is a list or a policy, rather than a word or none. */
function namesUsers(rule: ConfigValue | undefined): boolean {
  return rule !== undefined && typeof rule !== 'string';
}

function rulesOf(declaration: ConfigObject, isReading: boolean): readonly (ConfigValue | undefined)[] {
  return operationNames
    .filter((name) => READING.includes(name) === isReading)
    .map((name) => operationOf(declaration, name))
    .flatMap((operation) => (isObject(operation) ? [operation.authorization] : []));
}

function accessRules(declaration: ConfigObject): AccessRules {
  const [read, write] = [rulesOf(declaration, true), rulesOf(declaration, false)];
  const isMixed = (rules: readonly (ConfigValue | undefined)[]): boolean =>
    rules.some((rule) => rule !== rules[0] || (rule !== undefined && wordOf(rule) === undefined));
  return { read: read[0], write: write[0], isReadMixed: isMixed(read), isWriteMixed: isMixed(write) };
}

function wordOf(rule: ConfigValue | undefined): 'guest' | 'authenticated' | undefined {
  return rule === 'guest' || rule === 'authenticated' ? rule : undefined;
}
