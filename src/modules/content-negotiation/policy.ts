import type { MvcEvent } from '../../framework';
import type { UploadLimits } from './multipart/limits';
import type { ResponseFormat, Selector } from './selector';

/** How an endpoint negotiates content. */
export interface NegotiationPolicy {
  readonly selector: Selector;
  /** The accepted types of request bodies; empty for an endpoint without a body. */
  readonly contentTypes: readonly string[];
  /** In bytes. */
  readonly bodyLimit: number;
  /** Levels that the JSON of a body may be nested; defaults to 200. */
  readonly bodyDepth?: number;
  /** Members and items of the JSON of a body; defaults to 100,000. */
  readonly bodyMembers?: number;
  /** Whether numbers that were rounded when the body was parsed are errors of it; defaults to false. */
  readonly exactNumbers?: boolean;
  /** How forms with files are read, if `multipart/form-data` is accepted. */
  readonly uploads?: Uploads | undefined;
  /** Converts a result to a hypermedia entity or collection, for view models that show links. */
  readonly hypermedia?: ((event: MvcEvent, result: unknown) => unknown) | undefined;
  /** The template of the HTML representation, or a function that chooses it by the result. */
  readonly template?: string | ((result: unknown) => string);
  /** Whether results are immutable objects, so that their rendered content may be cached. */
  readonly cached?: boolean;
  /** The query parameter that names a format, for links in a browser; takes precedence over `Accept`. */
  readonly formatParameter?: string;
}

/** How forms with files are read. */
export interface Uploads {
  readonly limits: UploadLimits;
  /** Levels that the JSON of a field may be nested. */
  readonly depth: number;
  /** Members and items of the JSON of a field. */
  readonly members: number;
  /** Absolute path of the folder that holds the temporary folders of requests. */
  readonly folder: string;
}

declare module '../../framework' {
  interface Endpoint {
    readonly negotiation?: NegotiationPolicy;
  }
  interface MvcEvent {
    /** The format of the response; set before the handler runs. */
    responseFormat?: ResponseFormat | undefined;
    /** The parsed request body; undefined if there is none. */
    body?: unknown;
    /** JSON Pointers to numbers of the body that were rounded; only if its endpoint has exact numbers. */
    roundedNumbers?: readonly string[];
    /** Whether the body is a form, in which numbers and booleans are text. */
    isForm?: boolean;
  }
}
