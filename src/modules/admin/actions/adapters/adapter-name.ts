/** Returns why a name is invalid; undefined for a valid one. */
export function adapterNameError(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (/\p{Cc}/u.test(name)) return 'The name must not contain control characters.';
  if (name !== name.trim()) return 'Remove the white space around the name.';
  if (name === '__proto__') return 'This name is reserved. Choose another name.';
  if (name === '.' || name === '..') return 'This name is reserved. Choose another name.';
  return undefined;
}
