import {
  andThen,
  formatPointer,
  hasUtf8Escapes,
  parsePointer,
  Listeners,
  priorities,
  problem,
  truncate,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Problem,
} from '../../framework';
import type {} from '../content-negotiation';
import { listedErrors, MAX_FOUND } from './error-limits';
import { ROUNDED, UNKNOWN_MEMBER } from './error-messages';
import type { QueryReader } from './query-reader/query-reader';
import type { ValidationError, Validator } from './validator';

/** Checks a body that is valid by its schema; returns the errors, or an empty list. */
export type BodyCheck = (event: MvcEvent, body: unknown) => MaybePromise<readonly ValidationError[]>;

/** Checks a body before its schema changes it; returns the errors, or an empty list. */
export type SentBodyCheck = (event: MvcEvent, body: unknown) => readonly ValidationError[];

/** How an endpoint validates its input. */
export interface ValidationPolicy {
  /** Undefined for an endpoint without a body. */
  readonly body?: Validator | undefined;
  /** The validator of a body that was sent as a form. */
  readonly form?: Validator | undefined;
  /** A check before the schema removes members. */
  readonly sent?: SentBodyCheck | undefined;
  /** A check in addition to the schema. */
  readonly check?: BodyCheck | undefined;
  /** The validator of the query parameters. */
  readonly query?: Validator | undefined;
  /** The schemas of the query parameters, by name. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Reads the queries that need no validator. */
  readonly readQuery?: QueryReader | undefined;
}

declare module '../../framework' {
  interface Endpoint {
    readonly validation?: ValidationPolicy;
  }
  interface MvcEvent {
    /** The query parameters, converted to their declared types. */
    query?: Readonly<Record<string, unknown>>;
  }
}

/**
 * Validates query and body before the handler runs: 400 with all invalid parameters, 422 with all invalid members.
 */
export class ValidationListener extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('route', (event) => validate(event), priorities.route.validation)];
  }
}

function validate(event: MvcEvent): MaybePromise<void> {
  const policy = event.endpoint?.validation;
  if (policy?.query !== undefined)
    event.query =
      policy.readQuery?.(event.request.rawQuery) ?? validQuery(event, policy.query, policy.parameters);
  const sent = policy?.sent?.(event, event.body);
  if (sent !== undefined && sent.length > 0) throw failedValidation(sent);
  const body = event.isForm === true ? (policy?.form ?? policy?.body) : policy?.body;
  if (body !== undefined) event.body = validBody(event, body);
  if (policy?.check === undefined) return undefined;
  return andThen(policy.check(event, event.body), (errors) => {
    if (errors.length > 0) throw failedValidation(errors);
  });
}

/** Never modified. */
const NO_QUERY = new URLSearchParams();

function validQuery(
  event: MvcEvent,
  validator: Validator,
  parameters: ValidationPolicy['parameters'],
): Readonly<Record<string, unknown>> {
  // Most requests have no query, so nothing is parsed for them.
  const { rawQuery } = event.request;
  const checked = validator(rawQuery === '' ? NO_QUERY : event.request.query);
  if ('errors' in checked) throw badQuery(checked.errors, parameters);
  // The validators of queries return a record.
  const values = checked.value as Readonly<Record<string, unknown>>;
  const misencoded = hasUtf8Escapes(rawQuery) ? [] : misencodedErrors(rawQuery, values);
  if (misencoded.length > 0) throw badQuery(misencoded);
  return values;
}

/** Returns the errors of declared parameters whose percent-encoded bytes are not UTF-8. */
function misencodedErrors(
  query: string,
  values: Readonly<Record<string, unknown>>,
): readonly ValidationError[] {
  const pairs = query.split('&').filter((pair) => !hasUtf8Escapes(pair));
  const names = new Set(pairs.flatMap((pair) => [...new URLSearchParams(pair).keys()]));
  return [...names]
    .filter((name) => Object.hasOwn(values, name))
    .map((name) => ({
      pointer: formatPointer([name]),
      keyword: 'format',
      message: 'has percent-encoded bytes that are not UTF-8',
    }));
}

/** @param parameters whose names the problem lists if one of the query is unknown */
function badQuery(found: readonly ValidationError[], parameters?: ValidationPolicy['parameters']): Problem {
  const errors = parameterErrors(found);
  const isUnknown = errors.some(({ message }) => message === UNKNOWN_PARAMETER);
  return problem(
    'bad_query',
    { names: errors.map(({ parameter }) => parameter) },
    {
      extensions:
        isUnknown && parameters !== undefined ? { errors, allowed: Object.keys(parameters) } : { errors },
    },
  );
}

function validBody(event: MvcEvent, validator: Validator): unknown {
  if (event.body === undefined)
    throw failedValidation([{ pointer: '', keyword: 'required', message: 'a body is required' }]);
  const checked = validator(event.body);
  if (!('value' in checked)) throw failedValidation(checked.errors);
  if (event.roundedNumbers !== undefined) throw failedValidation(event.roundedNumbers.map(rounded));
  return checked.value;
}

function rounded(pointer: string): ValidationError {
  return { pointer, keyword: 'precision', message: ROUNDED };
}

/** Returns the 422 for the errors of a body, of which it lists the first ones. */
export function failedValidation(errors: readonly ValidationError[]): Problem {
  const listed = listedErrors(errors);
  return problem(
    'failed_validation',
    { count: errors.length, listed: listed.length, isComplete: errors.length < MAX_FOUND },
    { extensions: { errors: listed } },
  );
}

const UNKNOWN_PARAMETER = 'unknown query parameter';

/** Messages of a parameter that are listed: each branch of a union may have one. */
const MAX_MESSAGES = 20;

/** Returns the errors of a query, one per parameter; the first ones, if there are too many. */
export function parameterErrors(
  errors: readonly ValidationError[],
): readonly { readonly parameter: string; readonly message: string }[] {
  const messages = new Map<string, Set<string>>();
  for (const { pointer, message } of errors) {
    const [parameter = '', ...inside] = parsePointer(pointer);
    const text = message === UNKNOWN_MEMBER && inside.length === 0 ? UNKNOWN_PARAMETER : message;
    messages.set(parameter, (messages.get(parameter) ?? new Set()).add(text));
  }
  return listedErrors(
    [...messages].map(([parameter, all]) => ({
      parameter: truncate(parameter),
      message: [...all].slice(0, MAX_MESSAGES).join(', and '),
    })),
  );
}
