import { ViewModel } from './view-model';

/** Shown as JSON. Extend it for a format that is JSON of another shape, and override `serialize`. */
export class JsonModel extends ViewModel {
  static override readonly cacheable = true;

  /** What `JSON.stringify` gets. */
  serialize(): unknown {
    return this.content;
  }
}
