import { mapSubschemas, type SchemaNode } from '../../../framework';

/** Schemas that are derived within each other; a few times as many would overflow the stack. */
const MAX_NESTED = 300;

/** The derivation of a definition. */
export interface Derivation {
  readonly definition: SchemaNode;
  /** Derives the definition; may run further derivations. */
  readonly derive: () => void;
  /** Takes back that the derivation has begun. */
  readonly forget: () => void;
}

/** Ends the derivations that are running. */
class TooDeep extends Error {
  readonly next: Derivation;

  constructor(next: Derivation) {
    super('Too many schemas are derived within each other.');
    this.next = next;
  }
}

/**
 * Runs derivations within each other, as those of definitions that refer to each other. Where they are nested too
 * deeply, the inner half is run by itself, and then the outer half again, with the same result.
 */
export class NestedDerivations {
  /** The derivations that are running, outermost first. */
  #running: Derivation[] = [];
  #nested = 0;
  readonly #sizes = new Map<SchemaNode, number>();

  run(derivation: Derivation): void {
    if (this.#running.length === 0) this.#runOutermost(derivation);
    else this.#runWithin(derivation);
  }

  #runOutermost(outermost: Derivation): void {
    const paths: (readonly Derivation[])[] = [[outermost]];
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const [first] = path;
      for (const { forget } of path) forget();
      try {
        if (first !== undefined) this.#runWithin(first);
      } catch (error) {
        const ended = this.#running;
        this.#running = [];
        this.#nested = 0;
        if (!(error instanceof TooDeep)) throw error;
        const whole = [...ended, error.next];
        const half = Math.ceil(whole.length / 2);
        paths.push(whole.slice(0, half), whole.slice(half));
      }
    }
  }

  #runWithin(derivation: Derivation): void {
    const size = this.#sizeOf(derivation.definition);
    if (this.#running.length > 0 && this.#nested + size > MAX_NESTED) throw new TooDeep(derivation);
    this.#running.push(derivation);
    this.#nested += size;
    derivation.derive();
    this.#nested -= size;
    this.#running.pop();
  }

  #sizeOf(definition: SchemaNode): number {
    const known = this.#sizes.get(definition);
    if (known !== undefined) return known;
    const size = nestingOf(definition);
    this.#sizes.set(definition, size);
    return size;
  }
}

/** Returns how many schemas are nested within each other. */
function nestingOf(schema: SchemaNode): number {
  let deepest = 0;
  mapSubschemas(schema, (inner) => {
    deepest = Math.max(deepest, nestingOf(inner));
    return inner;
  });
  return 1 + deepest;
}
