/**
 * Returns the cookies of a `Cookie` field by name, each with its values in the order of the field: a browser sends the one
 * with the longest path first (RFC 6265bis, 5.8.3). Values are not decoded. Never throws: what has no name is ignored.
 *
 * @example parseCookies('theme=dark; theme=light').get('theme') // ['dark', 'light']
 */
export function parseCookies(field: string | undefined): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  for (const pair of (field ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === '') continue;
    const value = pair.slice(at + 1).trim();
    const values = cookies.get(name);
    if (values === undefined) cookies.set(name, [value]);
    else values.push(value);
  }
  return cookies;
}
