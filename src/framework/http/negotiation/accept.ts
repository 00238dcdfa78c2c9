import { parseMediaType, splitOutsideQuotes, type MediaType } from '../media-type';

/** A media range of an `Accept` field with its weight. */
export interface MediaRange extends MediaType {
  /** 0 to 1; 0 means "not acceptable" (RFC 9110, 12.4.2). */
  readonly quality: number;
}

/**
 * Returns whether an `Accept` field contains any range. Without the field, or with empty list elements only (RFC 9110,
 * 5.6.1.2), every media type is acceptable (12.5.1).
 */
export function hasRanges(accept: string | undefined): accept is string {
  return accept !== undefined && /[^\s,]/.test(accept);
}

/** Parses the ranges of an `Accept` field, in order, and skips malformed ones. */
export function parseAccept(accept: string): readonly MediaRange[] {
  return splitAccept(accept).flatMap((text) => parseRange(text) ?? []);
}

/** Splits an `Accept` field at its commas. */
export function splitAccept(accept: string): readonly string[] {
  return splitOutsideQuotes(accept, ',');
}

/** Parses one range; returns undefined if it is malformed. */
export function parseRange(text: string): MediaRange | undefined {
  const media = parseMediaType(text);
  if (media === undefined) return undefined;
  const weight = media.parameters.get('q');
  const quality = weight === undefined ? 1 : parseWeight(weight);
  if (quality === undefined) return undefined;
  const parameters = new Map([...media.parameters].filter(([name]) => name !== 'q'));
  return { ...media, parameters, quality };
}

/**
 * Parses a weight more leniently than RFC 9110, 12.4.2: Java's client sends `*; q=.2`, and others send more than three
 * digits.
 */
function parseWeight(text: string): number | undefined {
  return /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/.test(text) ? Number(text) : undefined;
}
