import type { JsonWriter } from '../../framework';

/** A result that is sent as it is, of a schema for which generated code exists. */
export interface SentResult {
  readonly value: unknown;
  readonly writer: JsonWriter & {
    /** Whether a value is sent as it is. */
    readonly isSentAsIs: (value: unknown) => boolean;
  };
}

declare module '../../framework' {
  interface MvcEvent {
    /** The result of the handler, if all of it is declared and JSON. */
    sent?: SentResult;
  }
}
