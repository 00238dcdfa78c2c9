import accepts from 'accepts';
import type { IncomingMessage } from 'node:http';
import { hasRanges, parseAccept } from './accept';
import { normalizeAccept } from './normalize-accept';
import { BoundedCache } from '../bounded-cache';

/**
 * Chooses among media types the one that an `Accept` field prefers (RFC 9110, 12.5.1): the highest weight of the most
 * specific range that matches; between equals, the more specific range, then the client's order, then the offers'.
 * `accepts` decides that. {@link explainNegotiation} tells how.
 *
 * Beyond what `accepts` does by itself: `application/*+json` matches every type with that suffix, and a range with
 * parameters still matches an offer that has none, unless another range names the offer exactly. The field is put into
 * its terms first.
 *
 * @param accept the field's value; undefined (no field), or one without any range, takes the first offer
 * @param offers media types, the preferred one first
 * @returns one of the offers; undefined when none is acceptable
 * @example negotiate('text/html;level=1, application/json;q=0.5', ['application/json', 'text/html']) // 'text/html'
 */
export function negotiate(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (!hasRanges(accept)) return offers[0];
  return firstOf(normalizeAccept(parseAccept(accept), offers), offers);
}

/**
 * The places of the offers that a field accepts, in the order in which {@link negotiate} would choose them.
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

/** The first of the offers by a normalized field. To `accepts`, no field means anything, and no offers ask for a list. */
function firstOf(field: string, offers: readonly string[]): string | undefined {
  if (field === '' || offers.length === 0) return undefined;
  // `accepts` reads nothing of the request but this field.
  const request: unknown = { headers: { accept: field } };
  const chosen = accepts(request as IncomingMessage).type([...offers]);
  return typeof chosen === 'string' ? chosen : undefined;
}

/** A negotiator over one fixed list of offers, which remembers its decisions by the text of the field. */
export class Negotiator {
  readonly offers: readonly string[];
  readonly #decisions: BoundedCache<string | undefined>;

  /** @param size how many decisions are remembered */
  constructor(offers: readonly string[], size = 128) {
    this.offers = offers;
    this.#decisions = new BoundedCache((accept) => negotiate(accept, offers), size);
  }

  choose(accept = ''): string | undefined {
    return this.#decisions.get(accept);
  }
}
