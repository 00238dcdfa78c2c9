import { isObject } from '../values/config-object';

/** The content of a response and how to render it. Strategies recognize view models by their class. */
export class ViewModel {
  /** See `isCacheable`. */
  static readonly cacheable: boolean = true;
  readonly content: unknown;
  /** The name of the template, for renderers that use templates. */
  readonly template: string | undefined;
  /** The negotiated media type. */
  readonly mediaType: string | undefined;
  /** The object that rendered content is cached for; only for content that never changes. */
  readonly cacheScope: object | undefined;

  constructor(content: unknown, options: ViewModelOptions = {}) {
    this.content = content;
    this.template = options.template;
    this.mediaType = options.mediaType;
    this.cacheScope = options.cacheScope;
  }

  /** The variables of the template. */
  get variables(): Readonly<Record<string, unknown>> {
    return isObject(this.content) ? this.content : { content: this.content };
  }
}

/** How a view model is rendered: see the properties of {@link ViewModel}. */
export interface ViewModelOptions {
  readonly template?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly cacheScope?: object | undefined;
}

/** A class of view models. Selectors refer to it by its name in the container. */
export type ViewModelClass = new (content: unknown, options?: ViewModelOptions) => ViewModel;

/**
 * Returns whether a class declares that it renders equal content equally. The declaration is not inherited: a
 * subclass may add, for example, the current time.
 */
export function isCacheable(model: ViewModelClass): boolean {
  return Object.hasOwn(model, 'cacheable') && Reflect.get(model, 'cacheable') === true;
}

export function isViewModelClass(service: unknown): service is ViewModelClass {
  return typeof service === 'function' && (service === ViewModel || service.prototype instanceof ViewModel);
}
