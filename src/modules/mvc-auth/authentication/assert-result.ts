import { describeValue, isIterable, isObject, objectOf } from '../../../framework';
import type { AuthenticationAdapter } from '../adapters/adapter';

/** @throws TypeError for what only JavaScript returns: it would count as correct credentials, and be the guest's request */
export function assertResult(result: unknown, { name }: AuthenticationAdapter): void {
  const { outcome, fields } = objectOf(result);
  // The characters of a text in place of a pair would be its name and value.
  const arePairs = Array.isArray(fields) ? fields.every(isIterable) : isIterable(fields);
  if (outcome === 'refused' || (outcome === 'authenticated' && arePairs)) return;
  const found = isObject(result)
    ? `the outcome ${JSON.stringify(outcome)} and the fields ${describeValue(fields)}${Array.isArray(fields) && !arePairs ? ' without pairs' : ''}`
    : describeValue(result);
  throw new TypeError(
    `The adapter "${name}" returned ${found}. Return { outcome: 'authenticated', username, fields: [] } or { outcome: 'refused', stale: false }.`,
  );
}
