import type { MaybePromise } from '../events/maybe-promise';
import type { Steps } from '../values/steps';
import { LargeText } from './large-text';
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
  let large: LargeText | undefined;
  let text = '';
  for (const chunk of chunks) {
    text += chunk;
    if (text.length >= BLOCK_LENGTH) {
      large ??= new LargeText();
      yield* large.append(text);
      text = '';
    }
    yield;
  }
  if (large === undefined) return text;
  yield* large.append(text);
  return yield* large.end();
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
