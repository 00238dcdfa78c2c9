import type { MaybePromise } from '../events/maybe-promise';
import type { Steps } from '../events/in-turns';
import type { ViewModel } from './view-model';

/** Makes the bytes of a representation from a view model. */
export interface Renderer {
  render(model: ViewModel): MaybePromise<string | Buffer>;
  /**
   * The same in steps, taken instead for what is kept: other requests have their turn between them, so that
   * something large keeps nobody waiting.
   */
  steps?(model: ViewModel): Steps<string | Buffer>;
}

export function isRenderer(result: unknown): result is Renderer {
  return (
    typeof result === 'object' && result !== null && 'render' in result && typeof result.render === 'function'
  );
}
