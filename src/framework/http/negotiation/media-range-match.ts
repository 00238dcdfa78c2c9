import { parseMediaType, type MediaType } from '../media-type';
import type { Range } from './accept';

/** A range of an `Accept` field that matches an offer. */
export interface MediaRangeMatch {
  /** The place of the offer among the offers. */
  readonly offer: number;
  /** The place of the range among the readable ones of the field. */
  readonly range: number;
  readonly quality: number;
  readonly specificity: number;
}

/** How specifically a range names an offer, the least specific first; matched parameters add to the last. */
export const SPECIFICITY = { any: 1, type: 2, suffix: 3, withoutParameters: 4, exact: 5 } as const;

/** Every range that matches an offer, the most specific first. */
export function matchRanges(
  text: string,
  offer: number,
  ranges: readonly Range[],
): readonly MediaRangeMatch[] {
  const media = parseMediaType(text) ?? NO_MEDIA_TYPE;
  return ranges
    .map((one, range) => ({ offer, range, quality: one.quality, specificity: specificityOf(one, media) }))
    .filter(({ specificity }) => specificity > 0)
    .sort((a, b) => b.specificity - a.specificity || a.range - b.range);
}

/** An offer that is no media type is matched by what matches everything. */
const NO_MEDIA_TYPE: MediaType = { type: '', subtype: '', parameters: new Map() };

/** How specifically a range matches an offer; 0 when it does not. */
function specificityOf(range: MediaType, offer: MediaType): number {
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
  return contradicted ? 0 : SPECIFICITY.withoutParameters;
}

/** Whether a range is one of a suffix, such as `application/*+json`. */
function hasSuffixRange({ subtype }: MediaType): boolean {
  return subtype.startsWith('*+');
}

function sameParameter(offer: MediaType, name: string, value: string): boolean {
  return offer.parameters.get(name)?.toLowerCase() === value.toLowerCase();
}

/** `+json` is also what plain `json` is in (RFC 6839, 3.1). */
function hasSuffix(offer: MediaType, suffix: string): boolean {
  return offer.subtype.endsWith(suffix) || offer.subtype === suffix.slice(1);
}
