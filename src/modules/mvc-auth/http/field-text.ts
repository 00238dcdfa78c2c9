const ASCII = /^[\x20-\x7e]*$/;

/** Encodes text as UTF-8 octets for a header field, one character per octet as Node writes them. */
export function toFieldText(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * Decodes the octets of a header field as UTF-8. Returns undefined for invalid UTF-8.
 *
 * @example
 * fromFieldText('J\xc3\xa4s'); // 'Jäs'
 */
export function fromFieldText(octets: string): string | undefined {
  if (ASCII.test(octets)) return octets;
  return decodeUtf8(Buffer.from(octets, 'latin1'));
}

/** Decodes strictly: undefined for invalid UTF-8. Keeps a byte order mark, as it may be part of a name. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Formats a quoted-string (RFC 9110, 5.6.4). */
export function quoted(octets: string): string {
  return octets.includes('"') || octets.includes('\\')
    ? `"${octets.replace(/["\\]/g, '\\$&')}"`
    : `"${octets}"`;
}
