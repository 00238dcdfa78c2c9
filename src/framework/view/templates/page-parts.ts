import { randomBytes } from 'node:crypto';

/** Nested templates, at most: more is an endless recursion. */
export const MAX_NESTING = 100;

/** Nested parts, at most: a page of the documentation has one for each level of a schema. */
const MAX_PARTS = 1_000;

/** @param template its name or file */
export function tooDeep(template: string, limit = MAX_NESTING): RangeError {
  return new RangeError(
    `Templates are nested more than ${limit} levels deep, the innermost one is ${template}: one of them includes, imports, extends or renders itself endlessly. Put the reference into an {% if %} that ends the recursion.`,
  );
}

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

  /**
   * Yields the text of a template in chunks, with its parts in place, recursively.
   * @throws RangeError for parts that have themselves as a part without end
   */
  *chunks(template: string, variables: Variables, render: Render, depth = 1): Generator<string, void> {
    if (depth > MAX_PARTS) throw tooDeep(template, MAX_PARTS);
    const [texts, parts] = this.#rendered(() => render(template, variables));
    // `split` alternates texts and the captured part numbers.
    for (const [at, text] of texts.entries()) {
      const part = at % 2 === 0 ? undefined : parts[Number(text)];
      if (part === undefined) yield text;
      else yield* this.chunks(part.template, { ...variables, ...part.variables }, render, depth + 1);
    }
  }

  /** Renders a template. @returns its text, split at the placeholders, and the parts that it has deferred */
  #rendered(render: () => string): readonly [texts: readonly string[], parts: readonly Part[]] {
    // A helper may render a page within another one, which then defers further parts.
    const around = this.#deferred;
    const parts: Part[] = [];
    this.#deferred = parts;
    try {
      return [render().split(this.#placeholder), parts];
    } finally {
      this.#deferred = around;
    }
  }
}
