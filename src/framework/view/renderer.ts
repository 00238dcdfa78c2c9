import type { MaybePromise } from '../events/maybe-promise';
import type { RenderSteps } from '../events/cooperative';
import type { ViewModel } from './view-model';

/** Makes the bytes of a representation from a view model. */
export interface Renderer {
  render(model: ViewModel): MaybePromise<string | Buffer>;
  /**
   * The same in steps, taken instead for what is kept: other requests have their turn between them, so that
   * something large keeps nobody waiting.
   */
  steps?(model: ViewModel): RenderSteps<string | Buffer>;
}

export function isRenderer(result: unknown): result is Renderer {
  return (
    typeof result === 'object' && result !== null && 'render' in result && typeof result.render === 'function'
  );
}

/** Characters that are made bytes at a time. */
const LARGE = 262_144;

/** Puts the pieces of a text together, one at each step; a large one as its bytes (UTF-8). */
export function* concatChunks(pieces: Iterable<string>): RenderSteps<string | Buffer> {
  const full: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length >= LARGE) {
      full.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return full.length === 0 ? text : Buffer.concat([...full, Buffer.from(text)]);
}

/**
 * Whether a method of an object is to be taken instead of another that does the same: not where a class that extends
 * has overridden that one alone, and so means something else by it.
 *
 * @example
 * class Pretty extends JsonRenderer { override render() { … } }
 * speaksFor(new Pretty(), 'steps', 'render'); // false: `steps` is that of JsonRenderer
 */
export function isMoreDerived(object: object, method: string, other: string): boolean {
  for (
    let from: unknown = object;
    typeof from === 'object' && from !== null;
    from = Object.getPrototypeOf(from)
  ) {
    if (Object.hasOwn(from, method)) return true;
    if (Object.hasOwn(from, other)) return false;
  }
  return false;
}
