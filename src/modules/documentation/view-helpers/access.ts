import type { Api } from '../model/api';

/**
 * Sums up who may call the operations of an API.
 *
 * @example
 * accessSummary(api); // '2 of 8 operations require authentication; authentication is optional for 6 of 8 operations.'
 */
export function accessSummary(api: Api): string {
  const operations = api
    .getServices()
    .flatMap((service) => [...service.getOperations(), ...service.getEntityOperations()]);
  const all = operations.length;
  const closed = operations.filter((one) => one.requiresAuthorization());
  const unreachable = closed.filter((one) => one.getAdapters().length === 0).length;
  const optional = operations.filter((one) => !one.requiresAuthorization() && one.getAdapters().length > 0);
  if (all === 0) return 'No operations yet.';
  if (closed.length === 0 && optional.length === 0) return 'All operations are public.';
  const parts = [
    ...(closed.length === 0 ? [] : [`${countOf(closed.length, all)} authentication`]),
    ...(unreachable === 0
      ? []
      : [
          `no adapter is configured for ${unreachable === closed.length ? 'these' : `${unreachable} of these`}`,
        ]),
    ...(optional.length === 0 ? [] : [optionalFor(optional.length, all)]),
  ];
  return `${parts.join('; ').replace(/^./, (letter) => letter.toUpperCase())}.`;
}

function countOf(count: number, all: number): string {
  if (count === all) return all === 1 ? 'the only operation requires' : `all ${all} operations require`;
  return `${count} of ${all} operations ${count === 1 ? 'requires' : 'require'}`;
}

function optionalFor(count: number, all: number): string {
  const whom = count === all ? 'all operations' : `${count} of ${all} operations`;
  return `authentication is optional for ${whom}`;
}
