import type { MaybePromise } from '../../../../framework';
import type { HandlerContext } from '../../context';

/** An error found by a custom validator. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) to the invalid member; empty for the whole body. */
  readonly pointer: string;
  readonly message: string;
  /** Machine-readable keyword; defaults to `custom`. */
  readonly keyword?: string;
}

/**
 * Checks what a schema cannot express, such as a unique name or members that depend on each other. Called with the
 * body after schema validation (a merge patch for PATCH; each item of a list separately), and may be asynchronous.
 * Declared as a method so that a validator may narrow the type of its body.
 *
 * @example
 * const isFree: BodyValidator<Product> = async ({ name }) =>
 *   (await shop.has(name)) ? [{ pointer: '/name', message: 'is taken' }] : undefined;
 */
export type BodyValidator<Body = unknown> = {
  check(body: Body, context: HandlerContext): MaybePromise<readonly FieldError[] | undefined>;
}['check'];
