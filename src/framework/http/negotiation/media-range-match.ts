import { parseMediaType, type MediaType } from '../media-type';
import type { MediaRange } from './accept';

/** A range of an `Accept` field that matches an offer. */
export interface MediaRangeMatch {
  /** The index of the offer. */
  readonly offer: number;
  /** The index of the range among the well-formed ranges of the field. */
  readonly range: number;
  readonly quality: number;
  readonly specificity: number;
}

/** How specifically a range matches an offer, least specific first; each matched parameter adds 1 to `exact`. */
export const SPECIFICITY = { any: 1, type: 2, suffix: 3, withoutParameters: 4, exact: 5 } as const;

/**
 * Of more ranges that match an offer, the others are duplicates: a header section has room for thousands, each of which
 * would be compared with those of all other offers.
 */
const MAX_MATCHES = 100;

/** Returns the ranges that match an offer, most specific first. */
export function matchRanges(
  text: string,
  offer: number,
  ranges: readonly MediaRange[],
): readonly MediaRangeMatch[] {
  const media = parseMediaType(text) ?? NO_MEDIA_TYPE;
  return ranges
    .map((one, range) => ({ offer, range, quality: one.quality, specificity: specificityOf(one, media) }))
    .filter(({ specificity }) => specificity > 0)
    .sort((a, b) => b.specificity - a.specificity || a.range - b.range)
    .slice(0, MAX_MATCHES);
}

/** Replaces a malformed offer, which only a wildcard matches. */
const NO_MEDIA_TYPE: MediaType = { type: '', subtype: '', parameters: new Map() };

/** Returns how specifically a range matches an offer; 0 if it does not match. */
function specificityOf(range: MediaRange, offer: MediaType): number {
  if (range.type === '*') return SPECIFICITY.any;
  if (range.type !== offer.type) return 0;
  if (range.subtype === '*') return SPECIFICITY.type;
  if (hasSuffixRange(range)) return hasSuffix(offer, range.subtype.slice(1)) ? SPECIFICITY.suffix : 0;
  if (range.subtype !== offer.subtype) return 0;
  if (range.parameters.size === 0) return SPECIFICITY.exact;
  const matching = [...range.parameters].filter(([name, value]) => sameParameter(offer, name, value)).length;
  if (matching === range.parameters.size) return SPECIFICITY.exact + matching;
  const contradicted = [...range.parameters].some(
    ([name, value]) => offer.parameters.has(name) && !sameParameter(offer, name, value),
  );
  // A range with parameters that the offer does not have accepts it all the same, but refuses no more than it says.
  return contradicted || range.quality === 0 ? 0 : SPECIFICITY.withoutParameters;
}

/** Returns whether a range is a suffix range such as `application/*+json`. */
function hasSuffixRange({ subtype }: MediaType): boolean {
  return subtype.startsWith('*+');
}

function sameParameter(offer: MediaType, name: string, value: string): boolean {
  return offer.parameters.get(name)?.toLowerCase() === value.toLowerCase();
}

/** The suffix `+json` also matches plain `json` (RFC 6839, 3.1). */
function hasSuffix(offer: MediaType, suffix: string): boolean {
  return offer.subtype.endsWith(suffix) || offer.subtype === suffix.slice(1);
}
