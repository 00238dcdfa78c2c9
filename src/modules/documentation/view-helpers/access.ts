import { ENGLISH, type PageLanguage } from '../language/languages';
import type { MessageKey } from '../language/en';
import type { MessageArguments } from '../language/message';
import type { Api } from '../model/api';

/**
 * Sums up who may call the operations of an API.
 *
 * @example
 * accessSummary(api); // '2 of 8 operations require authentication; authentication is optional for 6 of 8 operations.'
 */
export function accessSummary(api: Api, language: PageLanguage = ENGLISH): string {
  const operations = api
    .getServices()
    .flatMap((service) => [...service.getOperations(), ...service.getEntityOperations()]);
  const all = operations.length;
  const closed = operations.filter((one) => one.requiresAuthorization());
  const unreachable = closed.filter((one) => one.getAdapters().length === 0).length;
  const optional = operations.filter((one) => !one.requiresAuthorization() && one.getAdapters().length > 0);
  if (all === 0) return language.text('summary.none');
  if (closed.length === 0 && optional.length === 0) return language.text('summary.public');
  const parts = [
    countOf(closed.length, all, 'summary.closed', 'summary.closedAll'),
    countOf(unreachable, closed.length, 'summary.unreachable', 'summary.unreachableAll'),
    countOf(optional.length, all, 'summary.optional', 'summary.optionalAll'),
  ].flatMap(([key, values]) => (values.count === 0 ? [] : [language.text(key, values)]));
  return `${parts.join('; ').replace(/^./, (letter) => letter.toUpperCase())}.`;
}

type Count = readonly [key: MessageKey, values: MessageArguments & { readonly count: number }];

function countOf(count: number, all: number, ofSome: MessageKey, ofAll: MessageKey): Count {
  return [count === all ? ofAll : ofSome, { count, all }];
}
