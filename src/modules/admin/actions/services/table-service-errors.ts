import { isDeepStrictEqual } from 'node:util';
import { expand, parsePattern, parametersOf } from '../../../../framework';
import { parameterNames, type ProposedColumn, type TableProposal } from '../../../database';
import { API_NAME, isVersionNumber, VERSION_NUMBERS, type HostedApi } from '../../../hosting';
import type { FieldError } from '../../changes/field-errors';
import { ADMIN_API } from '../../changes/lockout';
import { nameTooLong } from '../../changes/name-length';
import { ruleErrors } from '../access/access-rule';
import {
  isOperationName,
  operationNames,
  OPERATIONS,
  parametersFor,
  READING,
  type TableServiceInput,
} from './table-service-input';

/** Names are configuration keys, and parts of URLs. */
const API_NAMES = { pattern: API_NAME, characters: 'letters, digits, "_" and "."' };
const SERVICE_NAMES = { pattern: /^[A-Za-z][A-Za-z0-9_]*$/, characters: 'letters, digits and "_"' };

const MAX_PAGE_SIZE = 10_000;

/** Returns the errors of the place of a new service. @param api undefined for a new one */
export function apiErrors(
  { api: name, version, name: service }: Pick<TableServiceInput, 'api' | 'version' | 'name'>,
  api: HostedApi | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  errors.push(...nameErrors('/api', name, API_NAMES));
  if (name === ADMIN_API)
    errors.push({ pointer: '/api', message: 'This is the API of the admin. Choose another one.' });
  const versions = api?.versions.map((one) => one.version) ?? [];
  if (!isVersionNumber(version)) errors.push({ pointer: '/version', message: `Enter ${VERSION_NUMBERS}.` });
  else if (api !== undefined && !versions.includes(version))
    errors.push({
      pointer: '/version',
      message: `API "${name}" has no version ${version}. Available: ${versions.join(', ')}.`,
    });
  errors.push(...nameErrors('/name', service, SERVICE_NAMES));
  const existing = api?.versions.find((one) => one.version === version)?.services ?? [];
  if (existing.some((one) => one.name === service))
    errors.push({
      pointer: '/name',
      message: `Service "${service}" already exists in ${name}-v${version}. Choose another name.`,
    });
  return errors;
}

function nameErrors(
  pointer: string,
  name: string,
  { pattern, characters }: typeof SERVICE_NAMES,
): readonly FieldError[] {
  const tooLong = nameTooLong(name);
  if (tooLong !== undefined) return [{ pointer, message: tooLong }];
  return pattern.test(name) ? [] : [{ pointer, message: `Use ${characters}, starting with a letter.` }];
}

/** Returns the errors of a new service over a table. */
export function inputErrors(input: TableServiceInput, proposal: TableProposal): readonly FieldError[] {
  const { collectionName, pageSize, operations } = input;
  const errors: FieldError[] = [...identifierErrors(input, proposal), ...columnErrors(input, proposal)];
  errors.push(...nameErrors('/collection_name', collectionName, SERVICE_NAMES));
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    errors.push({ pointer: '/page_size', message: `Enter an integer from 1 to ${MAX_PAGE_SIZE}.` });
  if (operations.length === 0)
    errors.push({ pointer: '/operations', message: 'Choose at least one operation.' });
  const unknown = operations.filter((name) => !isOperationName(name));
  if (unknown.length > 0)
    errors.push({
      pointer: '/operations',
      message: `Unknown operation ${unknown.join(', ')}. Available: ${operationNames.join(', ')}.`,
    });
  errors.push(
    ...ruleErrors(input.readAccess, '/read_access'),
    ...ruleErrors(input.writeAccess, '/write_access'),
  );
  const writes = operations.filter((name) => isOperationName(name) && !READING.includes(name));
  if (!proposal.isWritable && writes.length > 0)
    errors.push({ pointer: '/operations', message: `A view is only read. Remove ${writes.join(', ')}.` });
  return errors;
}

function identifierErrors(
  { identifier, columns, route, operations }: TableServiceInput,
  { identifiers }: TableProposal,
): readonly FieldError[] {
  const isKnown = identifiers.some((one) => isDeepStrictEqual(one, identifier));
  if (!isKnown) {
    const available = identifiers.map((one) => one.join(',')).join('; ');
    const message =
      available === ''
        ? 'The table has no primary key and no unique index. Add one to the table.'
        : `Choose a key of the table: ${available}.`;
    return [{ pointer: '/identifier', message }];
  }
  const hidden = identifier.filter((name) => !columns.includes(name));
  return [
    ...hidden.map((name) => ({
      pointer: '/columns',
      message: `The column "${name}" identifies an entity. Include it.`,
    })),
    ...routeErrors(route, identifier, operations),
  ];
}

function routeErrors(
  route: string,
  identifier: readonly string[],
  operations: readonly string[],
): readonly FieldError[] {
  try {
    const pattern = parsePattern(route);
    const parameters = parametersOf(pattern.parts);
    const identifying = parametersFor(parameters, identifier);
    if (identifying !== undefined) {
      const paths = expand(pattern).map((parts) => parametersOf(parts));
      const isEntity = (path: readonly string[]): boolean => identifying.every((name) => path.includes(name));
      return paths.every(isEntity) ? collectionErrors(identifying, operations) : [];
    }
    const names = parameterNames(identifier);
    const missing = names.filter((name) => !parameters.includes(name));
    const part = `[/:${names.join('/:')}]`;
    const message = `The route has no parameter ${missing.map((name) => `":${name}"`).join(', ')}. End it with ${part}.`;
    return [{ pointer: '/route', message }];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [{ pointer: '/route', message: error.message }];
  }
}

/** Returns the errors of a route that has no path of a collection. */
function collectionErrors(
  identifying: readonly string[],
  operations: readonly string[],
): readonly FieldError[] {
  const unreached = operations.filter(
    (name) => isOperationName(name) && OPERATIONS[name].part === 'collection',
  );
  if (unreached.length === 0) return [];
  const part = `[/:${identifying.join('/:')}]`;
  const message = `Each path of the route is that of an entity: no request reaches ${unreached.join(', ')}. End it with ${part}.`;
  return [{ pointer: '/route', message }];
}

function columnErrors(
  { columns, readOnly, filters, sort }: TableServiceInput,
  { columns: all }: TableProposal,
): readonly FieldError[] {
  if (columns.length === 0) return [{ pointer: '/columns', message: 'Choose at least one column.' }];
  const known = new Map(all.map((column) => [column.name, column]));
  const available = [...known.keys()].join(', ');
  const unknown = (name: string, pointer: string): readonly FieldError[] =>
    known.has(name)
      ? []
      : [{ pointer, message: `The table has no column "${name}". Available: ${available}.` }];
  const hidden = (name: string, pointer: string): readonly FieldError[] =>
    columns.includes(name) ? [] : [{ pointer, message: `Include the column "${name}", or remove it here.` }];
  return [
    ...columns.flatMap((name) => unknown(name, '/columns')),
    ...readOnly.flatMap((name) => hidden(name, '/read_only')),
    ...sort.flatMap((name) => hidden(name, '/sort')),
    ...Object.entries(filters).flatMap(([name, operators]) =>
      operators.length === 0
        ? []
        : [...hidden(name, `/filters/${name}`), ...operatorErrors(known.get(name), operators)],
    ),
  ];
}

function operatorErrors(
  column: ProposedColumn | undefined,
  chosen: readonly string[],
): readonly FieldError[] {
  if (column === undefined) return [];
  const operators: readonly string[] = column.operators;
  const wrong = chosen.filter((operator) => !operators.includes(operator));
  if (wrong.length === 0) return [];
  const available = operators.length === 0 ? 'none' : operators.join(', ');
  return [
    {
      pointer: `/filters/${column.name}`,
      message: `The column "${column.name}" (${column.model.declared}) has no filter ${wrong.join(', ')}. Available: ${available}.`,
    },
  ];
}
