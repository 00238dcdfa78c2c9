import { pluralize } from '../../../framework';
import type { RateLimit } from './rate-limit-settings';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

const SCOPES = { user: 'per user', address: 'per address', all: 'for all clients together' } as const;

/**
 * Describes a limit for people.
 * @example '100 requests per minute per user', '1 request per 90 seconds per address'
 */
export function describeLimit({ limit, window, per }: Pick<RateLimit, 'limit' | 'window' | 'per'>): string {
  const [length, unit] = UNITS.find(([seconds]) => window % seconds === 0) ?? [1, 'second'];
  const count = window / length;
  const period = count === 1 ? unit : pluralize(count, unit);
  return `${pluralize(limit, 'request')} per ${period} ${SCOPES[per]}`;
}
