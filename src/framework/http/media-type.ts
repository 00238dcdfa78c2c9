import { BoundedCache } from './bounded-cache';
import { TOKEN } from './fields';

/** A media type or media range (RFC 9110, 8.3.1 and 12.5.1), in lower case except for parameter values. */
export interface MediaType {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses a media type or media range.
 * @returns undefined if it is malformed
 * @example parseMediaType('text/html; charset=utf-8')?.subtype // 'html'
 */
export function parseMediaType(text: string): MediaType | undefined {
  const [name = '', ...rest] = splitOutsideQuotes(text, ';');
  const [type = '', subtype = '', ...more] = name.trim().toLowerCase().split('/');
  if (more.length > 0 || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  if (type === '*' && subtype !== '*') return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const trimmed = part.trim();
    if (trimmed === '') continue;
    const equals = trimmed.indexOf('=');
    const key = trimmed.slice(0, Math.max(equals, 0)).toLowerCase();
    const value = unquote(trimmed.slice(equals + 1));
    if (!TOKEN.test(key) || value === undefined) return undefined;
    parameters.set(key, value);
  }
  return { type, subtype, parameters };
}

const cachedMediaTypes = new BoundedCache(parseMediaType);

/** Parses a media type from a request field; cached, as clients send the same few values. */
export function fieldMediaType(text: string): MediaType | undefined {
  return cachedMediaTypes.get(text);
}

/** Returns `type/subtype`, without parameters. */
export function essence(media: MediaType): string {
  return `${media.type}/${media.subtype}`;
}

const cachedEssences = new BoundedCache((text) => {
  const media = fieldMediaType(text);
  return media === undefined ? undefined : essence(media);
});

/** Returns `type/subtype` of a request field; cached. @returns undefined if it is malformed */
export function fieldEssence(text: string): string | undefined {
  return cachedEssences.get(text);
}

/** Splits at a delimiter, except inside quoted strings. */
export function splitOutsideQuotes(text: string, delimiter: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(delimiter);
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === delimiter && !quoted) {
      parts.push(part);
      part = '';
      continue;
    }
    if (char === '"') quoted = !quoted;
    part += char;
    if (quoted && char === '\\' && at + 1 < text.length) part += text.charAt(++at);
  }
  return [...parts, part];
}

function unquote(value: string): string | undefined {
  if (TOKEN.test(value)) return value;
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(value);
  return quoted?.[1]?.replace(/\\(.)/gs, '$1');
}
