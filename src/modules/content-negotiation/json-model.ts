import {
  JsonModel as FrameworkJsonModel,
  Problem,
  type ViewModelClass,
  type ViewModelOptions,
} from '../../framework';
import { toPlain } from './to-plain';

/**
 * The base class of JSON-based view models. Serializes values with `toJSON`, shows hypermedia entities and
 * collections as plain data, and renders a problem as `application/problem+json`.
 */
export class JsonModel extends FrameworkJsonModel {
  static override readonly cacheable = true;

  constructor(content: unknown, options: ViewModelOptions = {}) {
    super(
      content,
      content instanceof Problem ? { ...options, mediaType: 'application/problem+json' } : options,
    );
  }

  /** Nested `toJSON` methods are called by `JSON.stringify`. */
  override serialize(): unknown {
    return toPlain(this.content);
  }
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Static members of a view model class that shows links: it receives hypermedia entities and collections as results.
 */
export interface HypermediaModelClass extends ViewModelClass {
  /** Returns the schema of an entity or a collection in the representation of this view model. */
  describe(schema: Schema, shape: HypermediaShape): Schema;
}

/**
 * The kind of result an operation returns: `either` is an entity or a list, which becomes a collection. `name` is the
 * member that holds the items of a collection.
 */
export type HypermediaShape =
  { readonly kind: 'entity' } | { readonly kind: 'collection' | 'either'; readonly name: string };

export function showsHypermedia(model: ViewModelClass): model is HypermediaModelClass {
  return 'describe' in model && typeof model.describe === 'function';
}
