import type { Steps } from '../events/in-turns';
import { ViewModel } from './view-model';

/** Shown as JSON. Extend it for a format that is JSON of another shape, and override `serialize`. */
export class JsonModel extends ViewModel {
  static override readonly cacheable = true;

  /** What `JSON.stringify` gets. */
  serialize(): unknown {
    return this.content;
  }

  /** The same in steps; to be overridden beside `serialize` where what is kept takes long to make. */
  *serializeInSteps(): Steps<unknown> {
    yield;
    return this.serialize();
  }
}
