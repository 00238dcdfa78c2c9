import type { MaybePromise } from '../events/maybe-promise';
import type { ViewModel } from './view-model';

/** Makes the bytes of a representation from a view model. */
export interface Renderer {
  render(model: ViewModel): MaybePromise<string | Buffer>;
}

export function isRenderer(result: unknown): result is Renderer {
  return (
    typeof result === 'object' && result !== null && 'render' in result && typeof result.render === 'function'
  );
}
