/** Names that are shorter may be meant, although they resemble another one: only letters in another order or case are not. */
const MIN_LENGTH = 6;

/**
 * Returns the known name that another one clearly means: in another case, with two letters swapped, or with one letter
 * more, less or different. Stricter than the suggestions of errors, since the name may be meant as it is.
 */
export function misspeltName(name: string, known: Iterable<string>): string | undefined {
  const letters = name.toLowerCase();
  for (const one of known) {
    const other = one.toLowerCase();
    // A plural has a meaning of its own.
    if (`${other}s` === letters || `${letters}s` === other) continue;
    if (isDistinct(letters, other)) continue;
    if (letters === other || isSwapped(letters, other)) return one;
    if (other.length >= MIN_LENGTH && hasOtherLetter(letters, other)) return one;
  }
  return undefined;
}

/** Whether names that resemble each other are commonly different ones, such as `address1` and `address2`, or `$comment` and `comment`. */
function isDistinct(one: string, other: string): boolean {
  if (one.startsWith('$') !== other.startsWith('$')) return true;
  return one !== other && one.replace(/\d+/g, '') === other.replace(/\d+/g, '');
}

/** Whether texts differ in the order of two adjacent letters. */
function isSwapped(one: string, other: string): boolean {
  const at = commonLength(one, other);
  return one[at + 1] === other[at] && one[at] === other[at + 1] && one.slice(at + 2) === other.slice(at + 2);
}

/** Whether texts differ in one letter, which one of them may lack. Another first letter makes another word, such as `weight` and `height`. */
function hasOtherLetter(one: string, other: string): boolean {
  const at = commonLength(one, other);
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  const isReplaced = at > 0 && rest.slice(1) === otherRest.slice(1);
  return isReplaced || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
