import { andThen, whatIs, type MaybePromise, type MvcEvent } from '../../framework';
import type { BodyCheck, ValidationError } from '../content-validation';
import type { BodyValidator, FieldError } from './body-validator';
import { EventContext } from './context';
import type { Place } from './place';
import { timed } from './timeout';

interface Checking {
  readonly place: Place;
  /** Of the operation, for the log. */
  readonly name: string;
  /** Seconds that each may take. */
  readonly timeout: number;
}

/** The validators of an operation as one check of its body. */
export function bodyCheck(
  validators: readonly BodyValidator[],
  { place: { api, version }, name, timeout }: Checking,
): BodyCheck | undefined {
  if (validators.length === 0) return undefined;
  const check = (event: MvcEvent, body: unknown): MaybePromise<readonly ValidationError[]> => {
    const context = new EventContext(event, api, version);
    const runs = (Array.isArray(body) ? body : [body]).flatMap((item: unknown, at) =>
      validators.map((validate) => ({ place: Array.isArray(body) ? `/${at}` : '', item, validate })),
    );
    return runs.reduce<MaybePromise<readonly ValidationError[]>>(
      (found, { place, item, validate }) =>
        andThen(found, (errors) =>
          andThen(validate(item, context), (more: unknown) => [
            ...errors,
            ...fieldErrors(more, name).map(({ pointer, message, keyword = 'custom' }) => ({
              pointer: place + pointer,
              keyword,
              message,
            })),
          ]),
        ),
      [],
    );
  };
  return timed(check, timeout, name);
}

/** @throws TypeError for what plain JavaScript may return, so that its author reads what it should have been */
function fieldErrors(returned: unknown, name: string): readonly FieldError[] {
  if (returned === undefined || returned === null) return [];
  const isList = Array.isArray(returned);
  if (isList && returned.every(isFieldError)) return returned;
  const odd: unknown = isList ? returned.find((error) => !isFieldError(error)) : returned;
  throw new TypeError(
    `A validator of ${name} returned ${isList ? 'a list with ' : ''}${whatIs(odd)}; it returns a list of ` +
      "{ pointer: '/name', message: 'is taken' }, or nothing where nothing is wrong.",
  );
}

function isFieldError(error: unknown): error is FieldError {
  if (typeof error !== 'object' || error === null) return false;
  const { pointer, message, keyword = '' } = error as Readonly<Record<string, unknown>>;
  return [pointer, message, keyword].every((text) => typeof text === 'string');
}
