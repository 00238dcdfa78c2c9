// The octets of header fields. `fetch` shows and accepts each of them as one character.

/** Returns the text of a field in UTF-8, as fields of Digest are (RFC 7616, 3.3); other octets stay as they are. */
export function textOf(octets) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(octets, (one) => one.charCodeAt(0)),
    );
  } catch {
    return octets;
  }
}

/** Returns the UTF-8 octets of a text. */
export function octetsOf(text) {
  return Array.from(new TextEncoder().encode(text), (octet) => String.fromCharCode(octet)).join('');
}
