import { hasRanges, parseAccept, parseRange, splitAccept } from './accept';
import { matchRanges, SPECIFICITY, type MediaRangeMatch } from './media-range-match';
import { rankOffers } from './negotiate';

/** How a choice among media types comes about, step by step. */
export interface NegotiationExplanation {
  /** `no-ranges`: without a range the first offer is taken; `malformed`: no range of it is well-formed. */
  readonly basis: 'no-ranges' | 'malformed' | 'ranges';
  /** The parts of the field in their order. */
  readonly ranges: readonly ExplainedRange[];
  /** The offers in their order. */
  readonly offers: readonly ExplainedOffer[];
  /** The offer that is taken; undefined for the answer 406. */
  readonly chosen: string | undefined;
}

/** One part of the field. */
export interface ExplainedRange {
  readonly text: string;
  /** 0 to 1; undefined when it is malformed, so that nothing of it counts. */
  readonly quality: number | undefined;
}

/** How specifically a range names an offer, the least specific first. */
export type Specificity = 'any' | 'type' | 'suffix' | 'without-parameters' | 'exact' | 'with-parameters';

interface RangeMatch {
  /** The range as the field writes it. */
  readonly range: string;
  readonly quality: number;
  readonly specificity: Specificity;
}

export interface ExplainedOffer {
  readonly mediaType: string;
  /** The ranges that fit, the most specific first: that one gives the weight. */
  readonly matches: readonly RangeMatch[];
  /** The weight; undefined when no range fits. */
  readonly quality: number | undefined;
  /** Its place among those that are acceptable, from 1; undefined when it is not. */
  readonly rank: number | undefined;
  /** What puts it behind the one before it. */
  readonly behindBy: 'weight' | 'specificity' | 'range-order' | 'offer-order' | undefined;
}

/**
 * Tells how `negotiate` comes to its choice: which ranges fit which offer, with what weight, and what decides
 * between those that are acceptable (RFC 9110, 12.5.1).
 *
 * @param accept the field's value; undefined (no field), or one without any range, takes the first offer
 * @param offers media types, the preferred one first
 */
export function explainNegotiation(
  accept: string | undefined,
  offers: readonly string[],
): NegotiationExplanation {
  if (!hasRanges(accept)) return withoutWish(offers);
  const parts = splitAccept(accept).map((part) => part.trim());
  const readable = parts.filter((part) => parseRange(part) !== undefined);
  const ranges = parseAccept(accept);
  const matches = offers.map((offer, at) => matchRanges(offer, at, ranges));
  const ranking = rankOffers(accept, offers);
  const best = ranking[0];
  return {
    basis: ranges.length === 0 ? 'malformed' : 'ranges',
    ranges: parts.filter((part) => part !== '').map((text) => ({ text, quality: parseRange(text)?.quality })),
    offers: offers.map((mediaType, at) => explainOffer(mediaType, at, { matches, readable, ranking })),
    chosen: best === undefined ? undefined : offers[best],
  };
}

function withoutWish(offers: readonly string[]): NegotiationExplanation {
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
    /** Of each offer, the ranges that match it. */
    readonly matches: readonly (readonly MediaRangeMatch[])[];
    readonly readable: readonly string[];
    /** The places of the offers that are acceptable, the best first. */
    readonly ranking: readonly number[];
  },
): ExplainedOffer {
  const fits = of.matches[at] ?? [];
  const place = of.ranking.indexOf(at);
  const mine = place < 0 ? undefined : fits[0];
  const before = place < 1 ? undefined : of.matches[of.ranking[place - 1] ?? -1]?.[0];
  return {
    mediaType,
    matches: fits.map(({ range, quality, specificity }) => ({
      range: of.readable[range] ?? '',
      quality,
      specificity: nameOf(specificity),
    })),
    quality: fits[0]?.quality,
    rank: place < 0 ? undefined : place + 1,
    behindBy: mine === undefined || before === undefined ? undefined : differenceOf(before, mine),
  };
}

function differenceOf(before: MediaRangeMatch, behind: MediaRangeMatch): ExplainedOffer['behindBy'] {
  if (before.quality !== behind.quality) return 'weight';
  if (before.specificity !== behind.specificity) return 'specificity';
  return before.range === behind.range ? 'offer-order' : 'range-order';
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
