const ASCII = /^[\x20-\x7e]*$/;

/**
 * Text of ours as the octets of a header field: Node writes one octet per character, so that UTF-8 has to be
 * spelt out before.
 */
export function toFieldText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * Octets of a header field as the text they mean in UTF-8, or nothing when they are not UTF-8.
 *
 * @example
 * fromFieldText('J\xc3\xa4s'); // 'Jäs'
 */
export function fromFieldText(octets: string): string | undefined {
  if (ASCII.test(octets)) return octets;
  return decodeUtf8(Buffer.from(octets, 'latin1'));
}

/** Strict: what is not UTF-8 is nothing. A byte order mark is kept, since a name may not change on its way. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A quoted-string (RFC 9110, 5.6.4). */
export function quoted(octets: string): string {
  return octets.includes('"') || octets.includes('\\')
    ? `"${octets.replace(/["\\]/g, '\\$&')}"`
    : `"${octets}"`;
}
