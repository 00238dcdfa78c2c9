import { parseMediaType, type MediaType } from './media-type';
import type { Range } from './accept';

/** What an `Accept` field says of one offer: the weight of the most specific range that fits it. */
export interface Wish {
  /** The place of the offer among the offers. */
  readonly offer: number;
  /** The place of the range among the readable ones of the field. */
  readonly range: number;
  readonly quality: number;
  readonly specificity: number;
}

/**
 * The wishes of a field, each offer at most once: more specific ones first, then the client's order, then that
 * of the offers. Choosing takes the highest weight of them, the first between equals.
 */
export function wishesOf(offers: readonly string[], ranges: readonly Range[]): readonly Wish[] {
  return offers
    .flatMap((text, offer) => fitsOf(text, offer, ranges)[0] ?? [])
    .sort((a, b) => b.specificity - a.specificity || a.range - b.range);
}

/** Every range that fits an offer, the most specific first. */
export function fitsOf(text: string, offer: number, ranges: readonly Range[]): readonly Wish[] {
  const media = parseMediaType(text) ?? NO_MEDIA_TYPE;
  return ranges
    .map((one, range) => ({ offer, range, quality: one.quality, specificity: fit(one, media) }))
    .filter(({ specificity }) => specificity > 0)
    .sort((a, b) => b.specificity - a.specificity || a.range - b.range);
}

/** An offer that is no media type fits what fits everything. */
const NO_MEDIA_TYPE: MediaType = { type: '', subtype: '', parameters: new Map() };

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
