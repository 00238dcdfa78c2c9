import type { MvcEvent } from '../../framework';
import type { UploadLimits } from './multipart/limits';
import type { ResponseFormat, Selector } from './selector';

/** What an endpoint says about representations. */
export interface NegotiationPolicy {
  /** How its results can be shown. */
  readonly selector: Selector;
  /** The types of request bodies it takes; none when it takes no body. */
  readonly contentTypes: readonly string[];
  /** In bytes. */
  readonly bodyLimit: number;
  /** Levels that the JSON of a body may be nested; defaults to 200. */
  readonly bodyDepth?: number;
  /** How it takes forms with files, where `multipart/form-data` is among its types. */
  readonly uploads?: Uploads | undefined;
  /** A result as a hypermedia entity or collection, for view models that show links. */
  readonly hypermedia?: ((event: MvcEvent, result: unknown) => unknown) | undefined;
  /** The template of its HTML representation, or what chooses one by the result. */
  readonly template?: string | ((result: unknown) => string);
  /** Whether its results are objects that never change, so that what is rendered of them may be kept. */
  readonly cached?: boolean;
  /** The query parameter that names a format, for links in a browser; it goes before `Accept`. */
  readonly formatParameter?: string;
}

/** How forms with files are taken. */
export interface Uploads {
  readonly limits: UploadLimits;
  /** Levels that the JSON of a field may be nested. */
  readonly depth: number;
  /** Where the folders of requests are made; absolute. */
  readonly folder: string;
}

declare module '../../framework' {
  interface Endpoint {
    readonly negotiation?: NegotiationPolicy;
  }
  interface MvcEvent {
    /** How the result will be shown; set before the handler runs. */
    responseFormat?: ResponseFormat | undefined;
    /** The request's body, parsed; undefined when it has none. */
    body?: unknown;
    /** Whether the body came as a form, in which numbers and truth values are text. */
    isForm?: boolean;
  }
}
