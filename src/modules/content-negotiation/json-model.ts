import {
  JsonModel as FrameworkJsonModel,
  Problem,
  type ViewModelClass,
  type ViewModelOptions,
} from '../../framework';
import { toPlain } from './to-plain';

/**
 * The JSON model to extend for formats that are JSON: it serializes whatever has `toJSON`, shows hypermedia
 * entities and collections as plain data, and labels a problem as the problem it is.
 */
export class JsonModel extends FrameworkJsonModel {
  static override readonly cacheable = true;

  constructor(content: unknown, options: ViewModelOptions = {}) {
    super(
      content,
      content instanceof Problem ? { ...options, mediaType: 'application/problem+json' } : options,
    );
  }

  /** Members that have `toJSON` are left to `JSON.stringify`. */
  override serialize(): unknown {
    return toPlain(this.content);
  }
}

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * What a class of view models may say of itself: that it shows links, so that results are given to it as hypermedia
 * entities and collections, and how what it makes differs from the plain content.
 */
export interface HypermediaModelClass extends ViewModelClass {
  /** The schema of an entity, or of a collection, as this model shows it. */
  describe(schema: Schema, shape: HypermediaShape): Schema;
}

/** What an operation answers with; `name` is the member of a collection that holds its items. */
export type HypermediaShape =
  { readonly kind: 'entity' } | { readonly kind: 'collection'; readonly name: string };

export function showsHypermedia(model: ViewModelClass): model is HypermediaModelClass {
  return 'describe' in model && typeof model.describe === 'function';
}
