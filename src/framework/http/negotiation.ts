import accepts from 'accepts';
import type { IncomingMessage } from 'node:http';
import { hasWish, parseAccept } from './accept';
import { Remembered } from './remembered';
import { wishesOf } from './wish';

/**
 * Chooses among media types the one that an `Accept` field likes best (RFC 9110, 12.5.1): the highest
 * weight of the most specific range that fits; between equals, the more specific range, then the client's order,
 * then the offers'. {@link explainNegotiation} tells how.
 *
 * Beyond what `accepts` does by itself: letter case does not matter, `application/*+json` fits every
 * type with that suffix, and a range with parameters still fits an offer that has none, unless another
 * range names the offer exactly.
 *
 * @param accept the field's value; undefined (no field), or one without any range, takes the first offer
 * @param offers media types, the preferred one first
 * @returns one of the offers; undefined when none is acceptable
 * @example negotiate('text/html;level=1, application/json;q=0.5', ['application/json', 'text/html']) // 'text/html'
 */
export function negotiate(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (!hasWish(accept)) return offers[0];
  // An offer's parameters mean nothing to `accepts`: each offer stands under a plain name, and has one weight.
  const plain = wishesOf(offers, parseAccept(accept)).map(
    ({ offer, quality }) => `${nameOf(offer)};q=${quality}`,
  );
  if (plain.length === 0) return undefined;
  const names = offers.map((_, index) => nameOf(index));
  // `accepts` reads nothing of the request but this field.
  const request: unknown = { headers: { accept: plain.join(', ') } };
  const chosen = accepts(request as IncomingMessage).type(names);
  return offers[names.findIndex((name) => name === chosen)];
}

/** A name for an offer that `accepts` takes as a media type. */
function nameOf(index: number): string {
  return `offer/${index}`;
}

/** A negotiator over one fixed list of offers, which remembers its decisions by the text of the field. */
export class Negotiator {
  readonly offers: readonly string[];
  readonly #decisions: Remembered<string | undefined>;

  /** @param size how many decisions are remembered */
  constructor(offers: readonly string[], size = 128) {
    this.offers = offers;
    this.#decisions = new Remembered((accept) => negotiate(accept, offers), size);
  }

  choose(accept = ''): string | undefined {
    return this.#decisions.of(accept);
  }
}
