import { parseMediaType, splitOutsideQuotes, type MediaType } from '../media-type';

/** A media range of an `Accept` field with its weight. */
export interface Range extends MediaType {
  /** 0 to 1; 0 means "not acceptable" (RFC 9110, 12.4.2). */
  readonly quality: number;
}

/**
 * Whether an `Accept` field wishes for anything at all. Without a field, with an empty one, and with one of empty
 * elements alone (which are ignored: RFC 9110, 5.6.1.2) anything will do (12.5.1).
 */
export function hasRanges(accept: string | undefined): accept is string {
  return accept !== undefined && /[^\s,]/.test(accept);
}

/** The ranges of an `Accept` field, in their order; those that are malformed are left out. */
export function parseAccept(accept: string): readonly Range[] {
  return splitAccept(accept).flatMap((text) => parseRange(text) ?? []);
}

/** The texts between the commas of an `Accept` field, well-formed or not. */
export function splitAccept(accept: string): readonly string[] {
  return splitOutsideQuotes(accept, ',');
}

/** One range; undefined when it is malformed. */
export function parseRange(text: string): Range | undefined {
  const media = parseMediaType(text);
  if (media === undefined) return undefined;
  const weight = media.parameters.get('q');
  const quality = weight === undefined ? 1 : parseWeight(weight);
  if (quality === undefined) return undefined;
  const parameters = new Map([...media.parameters].filter(([name]) => name !== 'q'));
  return { ...media, parameters, quality };
}

/**
 * A weight, as RFC 9110, 12.4.2 writes it or as clients do: that of Java sends `*; q=.2`, others more digits than
 * three.
 */
function parseWeight(text: string): number | undefined {
  return /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/.test(text) ? Number(text) : undefined;
}
