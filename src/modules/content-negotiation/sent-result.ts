import type { CopyWithLinks } from './linked-entities';

/** A result that is sent as it is, of a schema for which generated code exists. */
export interface SentResult {
  readonly value: unknown;
  readonly matcher: {
    /** Whether a value is sent as it is. */
    readonly isSentAsIs: (value: unknown) => boolean;
    /** Returns how to copy the items of its lists, by the name of their member; '' for the result itself. */
    readonly lists: ReadonlyMap<string, () => CopyWithLinks>;
  };
}

declare module '../../framework' {
  interface MvcEvent {
    /** The result of the handler, if all of it is declared and JSON. */
    sent?: SentResult;
  }
}
