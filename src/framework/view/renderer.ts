import type { MaybePromise } from '../events/maybe-promise';
import type { Steps } from '../values/steps';
import type { ViewModel } from './view-model';

/** Renders view models to content. */
export interface Renderer {
  render(model: ViewModel): MaybePromise<string | Buffer>;
  /**
   * Renders in steps, so that other requests are handled between the steps of large content. Used instead of `render`
   * for cacheable content.
   */
  steps?(model: ViewModel): Steps<string | Buffer>;
}

export function isRenderer(result: unknown): result is Renderer {
  return (
    typeof result === 'object' && result !== null && 'render' in result && typeof result.render === 'function'
  );
}

/** Characters that are encoded at a time: V8 allocates memory of its own for each string of more than 128 KiB. */
const BLOCK_LENGTH = 65_536;

/** Concatenates chunks, one per step; returns a buffer (UTF-8) if the result is large. */
export function* concatChunks(chunks: Iterable<string>): Steps<string | Buffer> {
  const blocks: Buffer[] = [];
  let text = '';
  for (const chunk of chunks) {
    text += chunk;
    if (text.length >= BLOCK_LENGTH) {
      blocks.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return blocks.length === 0 ? text : yield* joined([...blocks, Buffer.from(text)]);
}

/** Concatenates buffers in steps: the first access to the memory of a large one takes longer than copying. */
function* joined(blocks: readonly Buffer[]): Steps<Buffer> {
  const all = Buffer.allocUnsafe(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    at += block.copy(all, at);
    yield;
  }
  return all;
}

/**
 * Returns whether a method may be used instead of an equivalent one: not if a subclass overrides only the other one.
 *
 * @example
 * class Pretty extends JsonRenderer { override render() { … } }
 * isMoreDerived(new Pretty(), 'steps', 'render'); // false: `steps` is that of JsonRenderer
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
