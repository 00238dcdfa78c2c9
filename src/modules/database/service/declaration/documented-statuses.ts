import { titleOf } from '../../../../framework';
import type { OperationDefinition, StatusDefinition } from '../../../hosting';
import type { Table } from '../../table/table';

const UNAVAILABLE: StatusDefinition = { code: 503, message: titleOf(503) };
const CREATED: StatusDefinition = { code: 201, message: titleOf(201) };
/** A trigger may keep a row. */
const KEPT: StatusDefinition = { code: 422, message: titleOf(422) };
const FULL: StatusDefinition = { code: 507, message: titleOf(507) };
/** The same text for all methods, since the list of a service has one for each status. */
const CONFLICT: StatusDefinition = {
  code: 409,
  message: `${titleOf(409)} with another entity, or with a change at the same time`,
};

/**
 * Adds the statuses that follow from the database to those that the operations declare, which take precedence. Every
 * write may be 409: the model of a table has neither unique indexes with a condition nor what triggers and hooks write.
 * @param table undefined while it is unknown
 */
export function withStatuses<Operations extends object>(
  operations: Operations,
  part: 'collection' | 'entity',
  table: Pick<Table, 'isKeyChosen'> | undefined,
): Operations {
  const completed = Object.entries(operations).map(([method, operation]): [string, unknown] => {
    if (operation === undefined) return [method, operation];
    const { status_codes: declared = [] } = operation as OperationDefinition;
    const createsByPut = part === 'entity' && method === 'PUT' && table?.isKeyChosen === true;
    const own = [...(createsByPut ? [CREATED] : []), ...statusesOf(method)];
    const others = own.filter(({ code }) => !declared.some((one) => one.code === code));
    return [method, { ...operation, status_codes: [...others, ...declared] }];
  });
  // Only their statuses change.
  return Object.fromEntries(completed) as Operations;
}

function statusesOf(method: string): readonly StatusDefinition[] {
  switch (method) {
    case 'GET':
    case 'QUERY':
      return [UNAVAILABLE];
    case 'DELETE':
      return [CONFLICT, KEPT, UNAVAILABLE, FULL];
    default:
      return [CONFLICT, UNAVAILABLE, FULL];
  }
}
