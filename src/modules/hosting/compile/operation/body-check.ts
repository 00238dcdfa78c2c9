import { andThen, describeValue, type MaybePromise, type MvcEvent } from '../../../../framework';
import { MAX_FOUND, type BodyCheck, type ValidationError } from '../../../content-validation';
import type { BodyValidator, FieldError } from './body-validator';
import { EventContext } from '../../context';
import type { ServiceReference } from '../../definition/definition';
import { withTimeout } from '../../timeout';

interface BodyCheckOptions {
  readonly reference: ServiceReference;
  /** Operation name, for the log. */
  readonly name: string;
  /** Timeout of each validator, in seconds. */
  readonly timeout: number;
}

/** Combines the custom validators of an operation into one body check. */
export function bodyCheck(
  validators: readonly BodyValidator[],
  { reference: { api, version }, name, timeout }: BodyCheckOptions,
): BodyCheck | undefined {
  if (validators.length === 0) return undefined;
  const check = (event: MvcEvent, body: unknown): MaybePromise<readonly ValidationError[]> => {
    const context = new EventContext(event, api, version);
    const runs = (Array.isArray(body) ? body : [body]).flatMap((item: unknown, at) =>
      validators.map((validate) => ({ prefix: Array.isArray(body) ? `/${at}` : '', item, validate })),
    );
    const errors: ValidationError[] = [];
    const done = runs.reduce<MaybePromise<void>>(
      (previous, { prefix, item, validate }) =>
        andThen(previous, () => {
          if (errors.length >= MAX_FOUND) return undefined;
          return andThen(validate(item, context), (returned: unknown) => {
            for (const { pointer, message, keyword = 'custom' } of fieldErrors(returned, name))
              errors.push({ pointer: prefix + pointer, keyword, message });
          });
        }),
      undefined,
    );
    return andThen(done, () => errors);
  };
  return withTimeout(check, timeout, name);
}

/** @throws TypeError for a return value that only untyped JavaScript allows */
function fieldErrors(returned: unknown, name: string): readonly FieldError[] {
  if (returned === undefined || returned === null) return [];
  const isList = Array.isArray(returned);
  if (isList && returned.every(isFieldError)) return returned;
  const invalid: unknown = isList ? returned.find((error) => !isFieldError(error)) : returned;
  throw new TypeError(
    `A validator of ${name} returned ${isList ? 'a list with ' : ''}${describeValue(invalid)}; return a list of ` +
      "{ pointer: '/name', message: 'is taken' }, or nothing if the body is valid.",
  );
}

function isFieldError(error: unknown): error is FieldError {
  if (typeof error !== 'object' || error === null) return false;
  const { pointer, message, keyword = '' } = error as Readonly<Record<string, unknown>>;
  return [pointer, message, keyword].every((text) => typeof text === 'string');
}
