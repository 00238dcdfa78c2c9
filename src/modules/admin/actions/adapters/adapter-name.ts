/** Why an adapter cannot have a name; undefined where it can. */
export function refusalOfName(name: string): string | undefined {
  if (name === '') return 'Give the adapter a name.';
  if (/\p{Cc}/u.test(name)) return 'A name has no control characters.';
  if (name !== name.trim()) return 'Take the white space around the name away.';
  if (name === '__proto__') return 'This name means something else to JavaScript. Choose another.';
  if (name === '.' || name === '..') return 'This name means something else in an address. Choose another.';
  return undefined;
}
