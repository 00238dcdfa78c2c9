import type { MediaRange } from './accept';
import { matchRanges, SPECIFICITY, type MediaRangeMatch } from './media-range-match';
import { essence, parseMediaType } from '../media-type';

/** A range in the syntax that `accepts` supports. */
interface NormalizedRange {
  readonly text: string;
  readonly quality: number;
  readonly specificity: number;
  /** The index of the original range. */
  readonly range: number;
}

/**
 * Rewrites an `Accept` field for `accepts`, which does not support suffix ranges, and matches a range with parameters
 * only with offers that have the same parameters:
 *
 * - a suffix range is replaced with the types of the offers that it matches;
 * - parameters that no offer has, and those of wildcards, are removed;
 * - a range with parameters of offers is replaced with these offers.
 *
 * More specific ranges are written first, as `accepts` prefers the first of equals. Of duplicates, the first is kept.
 *
 * @param ranges the well-formed ranges of the field
 * @param offers media types
 * @returns the field value; empty if no range matches an offer
 * @example normalizeAccept(parseAccept('application/*+json;q=0.5, text/html;level=1'), ['application/hal+json', 'text/html'])
 * // 'text/html;q=1, application/hal+json;q=0.5'
 */
export function normalizeAccept(ranges: readonly MediaRange[], offers: readonly string[]): string {
  const matches = offers.map((offer, at) => matchRanges(offer, at, ranges));
  const plain = matches.flatMap((ofOffer, at) =>
    ofOffer.map((match) => plainRange(match, ranges, offers[at] ?? '')),
  );
  const sorted = [...plain, ...contradictions(matches, plain, offers)].sort(
    (a, b) => b.specificity - a.specificity || a.range - b.range,
  );
  const first = new Map<string, NormalizedRange>();
  for (const one of sorted) if (!first.has(one.text)) first.set(one.text, one);
  return [...first.values()].map(({ text, quality }) => `${text};q=${quality}`).join(', ');
}

function plainRange(
  { range, quality, specificity }: MediaRangeMatch,
  ranges: readonly MediaRange[],
  offer: string,
): NormalizedRange {
  const written = ranges[range];
  const isWildcard = specificity === SPECIFICITY.any || specificity === SPECIFICITY.type;
  const text =
    isWildcard && written !== undefined
      ? essence(written)
      : specificity > SPECIFICITY.exact
        ? offer.toLowerCase()
        : essenceOf(offer);
  return { text, quality, specificity, range };
}

/**
 * Keeps a range whose parameters were removed from matching offers with contradicting parameters: returns these offers
 * with the weights that other ranges give them.
 */
function contradictions(
  matches: readonly (readonly MediaRangeMatch[])[],
  plain: readonly NormalizedRange[],
  offers: readonly string[],
): readonly NormalizedRange[] {
  return offers.flatMap((offer, at) => {
    const [best] = matches[at] ?? [];
    if ((best?.specificity ?? 0) >= SPECIFICITY.withoutParameters) return [];
    const type = essenceOf(offer);
    const shortened = plain.find(
      ({ text, specificity }) => text === type && specificity === SPECIFICITY.withoutParameters,
    );
    if (shortened === undefined) return [];
    const { quality = 0, specificity = 0, range = shortened.range } = best ?? {};
    return [{ text: offer.toLowerCase(), quality, specificity, range }];
  });
}

function essenceOf(offer: string): string {
  const media = parseMediaType(offer);
  return media === undefined ? offer : essence(media);
}
