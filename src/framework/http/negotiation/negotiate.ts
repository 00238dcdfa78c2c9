import accepts from 'accepts';
import type { IncomingMessage } from 'node:http';
import { hasRanges, parseAccept } from './accept';
import { normalizeAccept } from './normalize-accept';
import { problem } from '../../problem/errors';
import type { Problem } from '../../problem/problem';
import { BoundedCache } from '../bounded-cache';

/**
 * Returns the offer that an `Accept` field prefers (RFC 9110, 12.5.1): the one with the highest weight, which the most
 * specific matching range determines; between equals, the one with the more specific range, then the order of the
 * field, then that of the offers. `accepts` decides; {@link explainNegotiation} explains the decision.
 *
 * In addition to what `accepts` supports, `application/*+json` matches every type with that suffix, and a range with
 * parameters also matches an offer without them, unless another range matches the offer exactly: the field is
 * normalized first.
 *
 * @param accept the field value; without any range, the first offer is chosen
 * @param offers media types, preferred first
 * @returns undefined if no offer is acceptable
 * @example negotiate('text/html;level=1, application/json;q=0.5', ['application/json', 'text/html']) // 'text/html'
 */
export function negotiate(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (!hasRanges(accept)) return offers[0];
  return firstOf(normalizeAccept(parseAccept(accept), offers), offers);
}

/**
 * Returns the indices of the acceptable offers, in the order in which {@link negotiate} would choose them.
 * @param accept a field with ranges
 */
export function rankOffers(accept: string, offers: readonly string[]): readonly number[] {
  const field = normalizeAccept(parseAccept(accept), offers);
  const ranking: number[] = [];
  for (let left = offers.map((_, at) => at); left.length > 0;) {
    const best = firstOf(
      field,
      left.map((at) => offers[at] ?? ''),
    );
    const chosen = left.find((at) => offers[at] === best);
    if (best === undefined || chosen === undefined) break;
    ranking.push(chosen);
    left = left.filter((at) => at !== chosen);
  }
  return ranking;
}

/**
 * Returns the best offer for a normalized field. `accepts` treats an empty field as `*`, and no offers as a request
 * for a list.
 */
function firstOf(field: string, offers: readonly string[]): string | undefined {
  if (field === '' || offers.length === 0) return undefined;
  // `accepts` reads nothing of the request but this field.
  const request: unknown = { headers: { accept: field } };
  const chosen = accepts(request as IncomingMessage).type([...offers]);
  return typeof chosen === 'string' ? chosen : undefined;
}

/** Negotiates over a fixed list of offers, and caches its decisions by field value. */
export class Negotiator {
  readonly offers: readonly string[];
  readonly #decisions: BoundedCache<string | undefined>;

  /** @param size number of cached decisions */
  constructor(offers: readonly string[], size = 128) {
    this.offers = offers;
    this.#decisions = new BoundedCache((accept) => negotiate(accept, offers), size);
  }

  choose(accept = ''): string | undefined {
    return this.#decisions.get(accept);
  }
}

/** Creates the problem of an `Accept` field that permits none of the available media types: 406 with these. */
export function notAcceptable(available: readonly string[]): Problem {
  return problem(
    'not_acceptable',
    { available },
    { extensions: { available }, fields: [['Vary', 'Accept']] },
  );
}
