/** `fetch` shows the octets of a field as one character each; fields of Digest are in UTF-8 (RFC 7616, 3.3). */
export function textOf(octets: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(octets, (one) => one.charCodeAt(0)),
    );
  } catch {
    return octets;
  }
}

/** The UTF-8 octets of a text, one character each, as `fetch` accepts them. */
export function octetsOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (octet) => String.fromCharCode(octet)).join('');
}
