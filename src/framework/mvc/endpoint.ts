import type { MvcEvent } from './mvc-event';

/**
 * Everything known about one operation, compiled when the application is built, and frozen. The framework
 * needs the name and the handler; modules add what they compile by declaration merging:
 *
 * @example
 * declare module '../../framework' {
 *   interface Endpoint { readonly access?: AccessRule }
 * }
 */
export interface Endpoint {
  /** For logs and messages, e.g. `Atlas-v2/Country entity GET`. */
  readonly name: string;
  /** Makes the result: a Response, a ViewModel, or content to be cast into the negotiated view model. */
  readonly handler: (event: MvcEvent) => unknown;
  /** Whether all who ask the same and name nobody are answered the same, as long as the application lives. */
  readonly isRepeatable?: boolean;
}

/** The operations at one address, by method. HEAD follows GET (RFC 9110, 9.3.2); OPTIONS is answered for all. */
export class MethodTable {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The `Allow` field's value. */
  readonly allow: string;

  constructor(endpoints: Readonly<Record<string, Endpoint>>) {
    const table = new Map(Object.entries(endpoints));
    const get = table.get('GET');
    if (get !== undefined && !table.has('HEAD')) table.set('HEAD', get);
    this.endpoints = table;
    this.allow = [...table.keys(), 'OPTIONS'].join(', ');
  }
}
