import { hasRanges, parseAccept, parseRange, splitAccept } from './accept';
import { matchRanges, SPECIFICITY, type MediaRangeMatch } from './media-range-match';
import { rankOffers } from './negotiate';

/** A negotiation, step by step. */
export interface NegotiationExplanation {
  /** `no-ranges`: the first offer is chosen; `malformed`: no range of the field is well-formed. */
  readonly basis: 'no-ranges' | 'malformed' | 'ranges';
  /** The ranges of the field, in order. */
  readonly ranges: readonly ExplainedRange[];
  /** The offers, in order. */
  readonly offers: readonly ExplainedOffer[];
  /** The chosen offer; undefined for 406. */
  readonly chosen: string | undefined;
}

/** One element of the field. */
export interface ExplainedRange {
  readonly text: string;
  /** 0 to 1; undefined if it is malformed and ignored. */
  readonly quality: number | undefined;
}

/** How specifically a range matches an offer, least specific first. */
export type Specificity = 'any' | 'type' | 'suffix' | 'without-parameters' | 'exact' | 'with-parameters';

interface RangeMatch {
  /** The range as written in the field. */
  readonly range: string;
  readonly quality: number;
  readonly specificity: Specificity;
}

export interface ExplainedOffer {
  readonly mediaType: string;
  /** The matching ranges, most specific first; the first one determines the weight. */
  readonly matches: readonly RangeMatch[];
  /** The weight; undefined if no range matches. */
  readonly quality: number | undefined;
  /** The rank among the acceptable offers, from 1; undefined if it is not acceptable. */
  readonly rank: number | undefined;
  /** The criterion that ranks it below the previous offer. */
  readonly behindBy: 'weight' | 'specificity' | 'range-order' | 'offer-order' | undefined;
}

/**
 * Explains the result of `negotiate`: which ranges match which offer, with what weight, and what decides between the
 * acceptable offers (RFC 9110, 12.5.1).
 *
 * @param accept the field value; without any range, the first offer is chosen
 * @param offers media types, preferred first
 */
export function explainNegotiation(
  accept: string | undefined,
  offers: readonly string[],
): NegotiationExplanation {
  if (!hasRanges(accept)) return withoutRanges(offers);
  const parts = splitAccept(accept).map((part) => part.trim());
  const wellFormed = parts.filter((part) => parseRange(part) !== undefined);
  const ranges = parseAccept(accept);
  const matches = offers.map((offer, at) => matchRanges(offer, at, ranges));
  const ranking = rankOffers(accept, offers);
  const best = ranking[0];
  return {
    basis: ranges.length === 0 ? 'malformed' : 'ranges',
    ranges: parts.filter((part) => part !== '').map((text) => ({ text, quality: parseRange(text)?.quality })),
    offers: offers.map((mediaType, at) => explainOffer(mediaType, at, { matches, wellFormed, ranking })),
    chosen: best === undefined ? undefined : offers[best],
  };
}

function withoutRanges(offers: readonly string[]): NegotiationExplanation {
  return {
    basis: 'no-ranges',
    ranges: [],
    offers: offers.map((mediaType, at) => ({
      mediaType,
      matches: [],
      quality: undefined,
      rank: at + 1,
      behindBy: at === 0 ? undefined : 'offer-order',
    })),
    chosen: offers[0],
  };
}

function explainOffer(
  mediaType: string,
  at: number,
  of: {
    /** The matching ranges of each offer. */
    readonly matches: readonly (readonly MediaRangeMatch[])[];
    /** The well-formed ranges as written. */
    readonly wellFormed: readonly string[];
    /** The indices of the acceptable offers, best first. */
    readonly ranking: readonly number[];
  },
): ExplainedOffer {
  const matches = of.matches[at] ?? [];
  const rank = of.ranking.indexOf(at);
  const best = rank < 0 ? undefined : matches[0];
  const previous = rank < 1 ? undefined : of.matches[of.ranking[rank - 1] ?? -1]?.[0];
  return {
    mediaType,
    matches: matches.map(({ range, quality, specificity }) => ({
      range: of.wellFormed[range] ?? '',
      quality,
      specificity: nameOf(specificity),
    })),
    quality: matches[0]?.quality,
    rank: rank < 0 ? undefined : rank + 1,
    behindBy: best === undefined || previous === undefined ? undefined : criterionOf(previous, best),
  };
}

function criterionOf(previous: MediaRangeMatch, next: MediaRangeMatch): ExplainedOffer['behindBy'] {
  if (previous.quality !== next.quality) return 'weight';
  if (previous.specificity !== next.specificity) return 'specificity';
  return previous.range === next.range ? 'offer-order' : 'range-order';
}

const NAMES: Readonly<Record<number, Specificity>> = {
  [SPECIFICITY.any]: 'any',
  [SPECIFICITY.type]: 'type',
  [SPECIFICITY.suffix]: 'suffix',
  [SPECIFICITY.withoutParameters]: 'without-parameters',
  [SPECIFICITY.exact]: 'exact',
};

function nameOf(specificity: number): Specificity {
  return NAMES[specificity] ?? 'with-parameters';
}
