import { randomBytes } from 'node:crypto';

/** What a template is given, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** Makes the text of a template. */
type Render = (template: string, variables: Variables) => string;

interface Part {
  readonly template: string;
  readonly given: Variables;
}

/**
 * The parts of pages that are left to templates of their own, so that a large page is made piece by piece. While a
 * template is rendered a mark stands for each part; nobody who writes a text can know the marks.
 */
export class PageParts {
  readonly #secret = randomBytes(16).toString('hex');
  readonly #marks = new RegExp(`<!--${this.#secret}-(\\d+)-->`);
  /** Those of the template that is rendered at present. */
  #deferred: Part[] = [];

  /** Leaves a part for later. @returns what stands for it */
  defer(template: string, given: Variables = {}): string {
    return `<!--${this.#secret}-${this.#deferred.push({ template, given }) - 1}-->`;
  }

  /** The text of a template in pieces, with all of its parts, and theirs. */
  *pieces(template: string, variables: Variables, render: Render): Generator<string, void> {
    this.#deferred = [];
    const texts = render(template, variables).split(this.#marks);
    const parts = this.#deferred;
    // Between two texts stands the number of a part.
    for (const [at, text] of texts.entries()) {
      const part = at % 2 === 0 ? undefined : parts[Number(text)];
      if (part === undefined) yield text;
      else yield* this.pieces(part.template, { ...variables, ...part.given }, render);
    }
  }
}
