/** W3C Trace Context, 3.3.1.1. */
const MAX_MEMBERS = 32;

/** A vendor, or a tenant and a vendor (W3C Trace Context, 3.3.1.3.1). */
const KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;

/** Printable ASCII without "," and "=", which does not end with a space (W3C Trace Context, 3.3.1.3.2). */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * Parses `tracestate`, which vendors pass from service to service.
 * @returns its members in order, without empty ones; undefined for a malformed value, which is discarded as a whole
 */
export function parseTraceState(value: string): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  for (const part of value.split(',')) {
    // Leading spaces belong to the whitespace of the list, never to a key.
    const member = withoutSpaceAround(part);
    if (member === '') continue;
    const equals = member.indexOf('=');
    const [key, text] = [member.slice(0, equals), member.slice(equals + 1)];
    if (equals < 0 || !KEY.test(key) || !VALUE.test(text) || members.has(key)) return undefined;
    members.set(key, text);
    if (members.size > MAX_MEMBERS) return undefined;
  }
  return members;
}

/** Without optional whitespace (RFC 9110, 5.6.3). A regular expression would start again at each space inside. */
function withoutSpaceAround(text: string): string {
  let [start, end] = [0, text.length];
  while (isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Formats `tracestate`; empty without members. */
export function formatTraceState(members: ReadonlyMap<string, string>): string {
  return [...members].map(([key, value]) => `${key}=${value}`).join(',');
}
