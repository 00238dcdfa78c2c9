import accepts from 'accepts';
import type { IncomingMessage } from 'node:http';
import { parseMediaType, splitOutsideQuotes, type MediaType } from './media-type';

/** A media range of an `Accept` field with its weight. */
interface Range extends MediaType {
  /** 0 to 1; 0 means "not acceptable" (RFC 9110, 12.4.2). */
  readonly quality: number;
}

/**
 * Chooses among media types the one that an `Accept` field likes best (RFC 9110, 12.5.1): the highest
 * weight of the most specific range that fits; between equals, the client's order, then the offers'.
 *
 * Beyond what `accepts` does by itself: letter case does not matter, `application/*+json` fits every
 * type with that suffix, and a range with parameters still fits an offer that has none, unless another
 * range names the offer exactly.
 *
 * @param accept the field's value; undefined (no field), or an empty one, takes the first offer
 * @param offers media types, the preferred one first
 * @returns one of the offers; undefined when none is acceptable
 * @example negotiate('text/html;level=1, application/json;q=0.5', ['application/json', 'text/html']) // 'text/html'
 */
export function negotiate(accept: string | undefined, offers: readonly string[]): string | undefined {
  const [first] = offers;
  if (accept === undefined || accept.trim() === '') return first;
  const ranges = parseAccept(accept);
  if (ranges.length === 0) return undefined;
  // An offer's parameters mean nothing to the ranking below: each offer stands in it under a plain name.
  const parsed = offers.map((offer) => parseMediaType(offer) ?? { type: '', subtype: '', parameters: none });
  const plain = rank(parsed, ranges);
  if (plain === '') return undefined;
  const names = parsed.map((_, index) => nameOf(index));
  // `accepts` reads nothing of the request but this field.
  const request: unknown = { headers: { accept: plain } };
  const chosen = accepts(request as IncomingMessage).type(names);
  return offers[names.findIndex((name) => name === chosen)];
}

const none: ReadonlyMap<string, string> = new Map();

/** The ranges of an `Accept` field, in their order; those that are malformed are left out. */
export function parseAccept(accept: string): readonly Range[] {
  return splitOutsideQuotes(accept, ',').flatMap((text) => {
    const media = parseMediaType(text);
    if (media === undefined) return [];
    const weight = media.parameters.get('q');
    const quality = weight === undefined ? 1 : parseWeight(weight);
    if (quality === undefined) return [];
    const parameters = new Map([...media.parameters].filter(([name]) => name !== 'q'));
    return [{ ...media, parameters, quality }];
  });
}

/**
 * A weight, as RFC 9110, 12.4.2 writes it or as clients do: that of Java sends `*; q=.2`, others more digits than
 * three.
 */
function parseWeight(text: string): number | undefined {
  return /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/.test(text) ? Number(text) : undefined;
}

/**
 * The same wishes as a plain `Accept` field over the offers' names: each offer once, with the weight of the
 * most specific range that fits it. More specific wishes stand first, then the client's order holds.
 */
function rank(offers: readonly MediaType[], ranges: readonly Range[]): string {
  return offers
    .flatMap((offer, index) => {
      const wish = mostSpecific(ranges, offer);
      return wish === undefined ? [] : [{ ...wish, name: nameOf(index) }];
    })
    .sort((a, b) => b.specificity - a.specificity || a.order - b.order)
    .map(({ name, quality }) => `${name};q=${quality}`)
    .join(', ');
}

/** A name for an offer that `accepts` takes as a media type. */
function nameOf(index: number): string {
  return `offer/${index}`;
}

interface Wish {
  readonly quality: number;
  readonly specificity: number;
  /** The place of its range in the field. */
  readonly order: number;
}

function mostSpecific(ranges: readonly Range[], offer: MediaType): Wish | undefined {
  let best: Wish | undefined;
  for (const [order, range] of ranges.entries()) {
    const specificity = fit(range, offer);
    if (specificity > (best?.specificity ?? 0)) best = { quality: range.quality, specificity, order };
  }
  return best;
}

/** How specifically a range fits an offer; 0 when it does not. */
function fit(range: MediaType, offer: MediaType): number {
  if (range.type === '*') return 1;
  if (range.type !== offer.type) return 0;
  if (range.subtype === '*') return 2;
  if (range.subtype.startsWith('*+')) return hasSuffix(offer, range.subtype.slice(1)) ? 3 : 0;
  if (range.subtype !== offer.subtype) return 0;
  if (range.parameters.size === 0) return 5;
  const matching = [...range.parameters].filter(([name, value]) => sameParameter(offer, name, value)).length;
  if (matching === range.parameters.size) return 5 + matching;
  const contradicted = [...range.parameters].some(
    ([name, value]) => offer.parameters.has(name) && !sameParameter(offer, name, value),
  );
  return contradicted ? 0 : 4;
}

function sameParameter(offer: MediaType, name: string, value: string): boolean {
  return offer.parameters.get(name)?.toLowerCase() === value.toLowerCase();
}

/** `+json` is also what plain `json` is in (RFC 6839, 3.1). */
function hasSuffix(offer: MediaType, suffix: string): boolean {
  return offer.subtype.endsWith(suffix) || offer.subtype === suffix.slice(1);
}

/**
 * A negotiator over one fixed list of offers, which remembers its decisions by the text of the field.
 * The memory is bounded: clients that send ever new fields only make it forget.
 */
export class Negotiator {
  readonly offers: readonly string[];
  readonly #decisions = new Map<string, string | undefined>();
  readonly #size: number;

  /** @param size how many decisions are remembered */
  constructor(offers: readonly string[], size = 128) {
    this.offers = offers;
    this.#size = size;
  }

  choose(accept: string | undefined): string | undefined {
    const text = accept ?? '';
    const known = this.#decisions.get(text);
    if (known !== undefined || this.#decisions.has(text)) return known;
    const chosen = negotiate(accept, this.offers);
    if (this.#decisions.size >= this.#size) this.#decisions.clear();
    if (text.length <= 512) this.#decisions.set(text, chosen);
    return chosen;
  }
}
