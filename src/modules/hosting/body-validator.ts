import type { MaybePromise } from '../../framework';
import type { HandlerContext } from './context';

/** What an author's validator has found wrong. */
export interface FieldError {
  /** Where, as a JSON Pointer (RFC 6901); empty for the whole. */
  readonly pointer: string;
  readonly message: string;
  /** What was not met, for software; `custom` unless told. */
  readonly keyword?: string;
}

/**
 * Checks what no schema can: that a name is free, that two members fit together. It is called with what has passed
 * the schema (a merge patch for PATCH, one item after another for lists), and may be asynchronous. Written as a
 * method's type: a validator may know the type of its body.
 *
 * @example
 * const isFree: BodyValidator<Product> = async ({ name }) =>
 *   (await shop.has(name)) ? [{ pointer: '/name', message: 'is taken' }] : undefined;
 */
export type BodyValidator<Body = unknown> = {
  check(body: Body, context: HandlerContext): MaybePromise<readonly FieldError[] | undefined>;
}['check'];
