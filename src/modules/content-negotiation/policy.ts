import type { Representation, Selector } from './selector';

/** What an endpoint says about representations. */
export interface NegotiationPolicy {
  /** How its results can be shown. */
  readonly selector: Selector;
  /** The types of request bodies it takes; none when it takes no body. */
  readonly contentTypes: readonly string[];
  /** In bytes. */
  readonly bodyLimit: number;
  /** The template of its HTML representation. */
  readonly template?: string;
  /** The query parameter that names a format, for links in a browser; it goes before `Accept`. */
  readonly formatParameter?: string;
}

declare module '../../framework' {
  interface Endpoint {
    readonly negotiation?: NegotiationPolicy;
  }
  interface MvcEvent {
    /** How the result will be shown; set before the handler runs. */
    representation?: Representation | undefined;
    /** The request's body, parsed; undefined when it has none. */
    body?: unknown;
  }
}
