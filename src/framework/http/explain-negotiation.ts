import { hasWish, parseAccept, parseRange, partsOfAccept, type Range } from './accept';
import { fitsOf, wishesOf, type Wish } from './wish';

/** How a choice among media types comes about, step by step. */
export interface NegotiationExplanation {
  /** `no-wish`: without a range the first offer is taken; `unreadable`: no range of it is well-formed. */
  readonly basis: 'no-wish' | 'unreadable' | 'ranges';
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

export interface Fit {
  /** The range as the field writes it. */
  readonly range: string;
  readonly quality: number;
  readonly specificity: Specificity;
}

export interface ExplainedOffer {
  readonly mediaType: string;
  /** The ranges that fit, the most specific first: that one gives the weight. */
  readonly fits: readonly Fit[];
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
  if (!hasWish(accept)) return withoutWish(offers);
  const parts = partsOfAccept(accept).map((part) => part.trim());
  const readable = parts.filter((part) => parseRange(part) !== undefined);
  const ranges = parseAccept(accept);
  const ranking = rankingOf(wishesOf(offers, ranges));
  const best = ranking[0];
  return {
    basis: ranges.length === 0 ? 'unreadable' : 'ranges',
    ranges: parts.filter((part) => part !== '').map((text) => ({ text, quality: parseRange(text)?.quality })),
    offers: offers.map((mediaType, at) => explainOffer(mediaType, at, { ranges, readable, ranking })),
    chosen: best === undefined ? undefined : offers[best.offer],
  };
}

function withoutWish(offers: readonly string[]): NegotiationExplanation {
  return {
    basis: 'no-wish',
    ranges: [],
    offers: offers.map((mediaType, at) => ({
      mediaType,
      fits: [],
      quality: undefined,
      rank: at + 1,
      behindBy: at === 0 ? undefined : 'offer-order',
    })),
    chosen: offers[0],
  };
}

/** The acceptable wishes, the best first: the sort is stable, so that between equal weights their order stays. */
function rankingOf(wishes: readonly Wish[]): readonly Wish[] {
  return wishes.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
}

function explainOffer(
  mediaType: string,
  at: number,
  of: {
    readonly ranges: readonly Range[];
    readonly readable: readonly string[];
    readonly ranking: readonly Wish[];
  },
): ExplainedOffer {
  const fits = fitsOf(mediaType, at, of.ranges);
  const place = of.ranking.findIndex(({ offer }) => offer === at);
  const [mine, before] = [of.ranking[place], of.ranking[place - 1]];
  return {
    mediaType,
    fits: fits.map(({ range, quality, specificity }) => ({
      range: of.readable[range] ?? '',
      quality,
      specificity: nameOf(specificity),
    })),
    quality: fits[0]?.quality,
    rank: mine === undefined ? undefined : place + 1,
    behindBy: mine === undefined || before === undefined ? undefined : differenceOf(before, mine),
  };
}

function differenceOf(before: Wish, behind: Wish): ExplainedOffer['behindBy'] {
  if (before.quality !== behind.quality) return 'weight';
  if (before.specificity !== behind.specificity) return 'specificity';
  return before.range === behind.range ? 'offer-order' : 'range-order';
}

const NAMES: readonly Specificity[] = ['any', 'type', 'suffix', 'without-parameters', 'exact'];

function nameOf(specificity: number): Specificity {
  return NAMES[specificity - 1] ?? 'with-parameters';
}
