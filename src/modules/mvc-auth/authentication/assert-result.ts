import { describeValue, isIterable, isObject, objectOf } from '../../../framework';
import type { AuthenticationAdapter } from '../adapters/adapter';

/** @throws TypeError for what only JavaScript returns: it would count as correct credentials, and be the guest's request */
export function assertResult(result: unknown, { name }: AuthenticationAdapter): void {
  const { outcome, fields } = objectOf(result);
  if (outcome === 'refused' || (outcome === 'authenticated' && isIterable(fields))) return;
  const found = isObject(result)
    ? `the outcome ${JSON.stringify(outcome)} and the fields ${describeValue(fields)}`
    : describeValue(result);
  throw new TypeError(
    `The adapter "${name}" returned ${found}. Return { outcome: 'authenticated', username, fields: [] } or { outcome: 'refused', stale: false }.`,
  );
}
