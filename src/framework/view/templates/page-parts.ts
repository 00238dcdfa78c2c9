import { randomBytes } from 'node:crypto';

/** The variables of a template, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** Renders a template. */
type Render = (template: string, variables: Variables) => string;

interface Part {
  readonly template: string;
  readonly variables: Variables;
}

/**
 * Defers the parts of a page, so that a large page is rendered in chunks. While a template is rendered, placeholders
 * represent its parts; they contain a random secret, so that content cannot forge them.
 */
export class PageParts {
  readonly #secret = randomBytes(16).toString('hex');
  readonly #placeholder = new RegExp(`<!--${this.#secret}-(\\d+)-->`);
  /** The parts of the template that is being rendered. */
  #deferred: Part[] = [];

  /** Defers a part, and returns its placeholder. */
  defer(template: string, variables: Variables = {}): string {
    return `<!--${this.#secret}-${this.#deferred.push({ template, variables }) - 1}-->`;
  }

  /** Yields the text of a template in chunks, with its parts in place, recursively. */
  *chunks(template: string, variables: Variables, render: Render): Generator<string, void> {
    this.#deferred = [];
    const texts = render(template, variables).split(this.#placeholder);
    const parts = this.#deferred;
    // `split` alternates texts and the captured part numbers.
    for (const [at, text] of texts.entries()) {
      const part = at % 2 === 0 ? undefined : parts[Number(text)];
      if (part === undefined) yield text;
      else yield* this.chunks(part.template, { ...variables, ...part.variables }, render);
    }
  }
}
