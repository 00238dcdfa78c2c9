import type { Range } from './accept';
import { matchRanges, SPECIFICITY, type MediaRangeMatch } from './media-range-match';
import { essence, parseMediaType } from '../media-type';

/** A range as `accepts` understands it, with what it was made of. */
interface NormalizedRange {
  readonly text: string;
  readonly quality: number;
  readonly specificity: number;
  /** The place of the range that it was made of. */
  readonly range: number;
}

/**
 * An `Accept` field in terms that `accepts` knows, which has no suffix ranges, and for which a range with parameters
 * matches offers with the same parameters only:
 *
 * - a suffix range stands for the types of the offers that it matches;
 * - parameters that no offer has are left out, and so are those of wildcards;
 * - a range with parameters of offers names these offers.
 *
 * The more specific ranges come first, as `accepts` takes the first between equals, and of a range that comes twice the
 * first counts.
 *
 * @param ranges the readable ones of the field
 * @param offers media types
 * @returns the field; empty when none of the ranges matches anything
 * @example normalizeAccept(parseAccept('application/*+json;q=0.5, text/html;level=1'), ['application/hal+json', 'text/html'])
 * // 'text/html;q=1, application/hal+json;q=0.5'
 */
export function normalizeAccept(ranges: readonly Range[], offers: readonly string[]): string {
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
  ranges: readonly Range[],
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
 * What keeps a range whose parameters were left out from offers whose own parameters contradict it: they are named with
 * what other ranges say of them.
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
