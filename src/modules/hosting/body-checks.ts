import { andThen, type MaybePromise, type MvcEvent } from '../../framework';
import type { BodyCheck, ValidationError } from '../content-validation';
import type { BodyValidator } from './body-validator';
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
          andThen(validate(item, context), (more = []) => [
            ...errors,
            ...more.map(({ pointer, message, keyword = 'custom' }) => ({
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
