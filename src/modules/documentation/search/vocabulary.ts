/** Two characters may differ in words of this length. */
const LONG_WORD = 5;

/** The terms of an index: tells typing errors from words. */
export class Vocabulary {
  readonly #terms = new Set<string>();
  /** Every beginning of a term. */
  readonly #beginnings = new Set<string>();

  /** Adds terms. @returns the same terms */
  add(terms: string[]): string[] {
    for (const term of terms) {
      if (this.#terms.has(term)) continue;
      this.#terms.add(term);
      for (let length = 1; length <= term.length; length += 1) this.#beginnings.add(term.slice(0, length));
    }
    return terms;
  }

  /** Whether a term begins with a text. */
  has(text: string): boolean {
    return this.#beginnings.has(text);
  }

  /**
   * Returns how many characters of an unknown term may differ: as few as possible. Terms with digits are never taken for
   * others.
   */
  distanceOf(term: string): 1 | 2 | false {
    if (term.length < 3 || /\d/.test(term)) return false;
    if (term.length < LONG_WORD) return 1;
    for (const known of this.#terms) if (differsByOne(term, known)) return 1;
    return 2;
  }
}

/** Whether one insertion, deletion or substitution makes two different words equal. */
function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  if (restA.length === restB.length) return restA.slice(1) === restB.slice(1);
  return restA.length > restB.length ? restA.slice(1) === restB : restA === restB.slice(1);
}
