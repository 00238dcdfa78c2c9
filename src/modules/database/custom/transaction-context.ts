import type { Kysely } from 'kysely';
import type { Cookies, Log, MvcEvent, TraceContext } from '../../../framework';
import type { Identity } from '../../mvc-auth';
import type { Precondition, ResourceContext } from '../../hosting';
import type { Tables } from '../query/compiled-query';
import type { HookContext } from './table-hooks';

/** The context of a request with a Kysely instance, read lazily. */
export class TransactionContext implements HookContext {
  readonly db: Kysely<Tables>;
  readonly #context: ResourceContext<unknown>;

  constructor(context: ResourceContext<unknown>, db: Kysely<Tables>) {
    this.#context = context;
    this.db = db;
  }

  get identity(): Identity {
    return this.#context.identity;
  }

  get api(): string {
    return this.#context.api;
  }

  get version(): number {
    return this.#context.version;
  }

  get parameters(): Readonly<Record<string, string>> {
    return this.event.parameters;
  }

  get query(): Readonly<Record<string, unknown>> {
    return this.#context.query;
  }

  get body(): unknown {
    return this.#context.body;
  }

  get cookies(): Cookies {
    return this.#context.cookies;
  }

  get precondition(): Precondition {
    return this.#context.precondition;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get requestId(): string {
    return this.#context.requestId;
  }

  get trace(): TraceContext {
    return this.#context.trace;
  }

  get log(): Log {
    return this.#context.log;
  }

  get event(): MvcEvent {
    return this.#context.event;
  }
}
