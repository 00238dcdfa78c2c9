import { isObject } from '../values/config-object';

/** What a handler's result is shown as: the content, and how to show it. A strategy knows it by its class. */
export class ViewModel {
  /** See `isCacheable`. */
  static readonly cacheable: boolean = true;
  /** What is shown. */
  readonly content: unknown;
  /** The name of the template, for renderers that use templates. */
  readonly template: string | undefined;
  /** The media type that was negotiated, where one was. */
  readonly mediaType: string | undefined;
  /** The content, where it never changes and is always shown the same: what is rendered of it is kept. */
  readonly cacheScope: object | undefined;

  constructor(content: unknown, options: ViewModelOptions = {}) {
    this.content = content;
    this.template = options.template;
    this.mediaType = options.mediaType;
    this.cacheScope = options.cacheScope;
  }

  /** The content as a template's variables. */
  get variables(): Readonly<Record<string, unknown>> {
    return isObject(this.content) ? this.content : { content: this.content };
  }
}

export interface ViewModelOptions {
  readonly template?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly cacheScope?: object | undefined;
}

/** A class of view models: what a selector's view model name stands for in the container. */
export type ViewModelClass = new (content: unknown, options?: ViewModelOptions) => ViewModel;

/**
 * Whether a class of view models says of itself that what it makes of a content is always the same. A class that
 * extends one which says so has to say it again: it may add the time of day.
 */
export function isCacheable(model: ViewModelClass): boolean {
  return Object.hasOwn(model, 'cacheable') && Reflect.get(model, 'cacheable') === true;
}

/** Whether a service is a class of view models. */
export function isViewModelClass(service: unknown): service is ViewModelClass {
  return typeof service === 'function' && (service === ViewModel || service.prototype instanceof ViewModel);
}
