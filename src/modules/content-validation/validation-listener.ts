import {
  andThen,
  parsePointer,
  Listeners,
  priorities,
  problem,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Problem,
} from '../../framework';
// Whether the body came as a form.
import type {} from '../content-negotiation';
import { UNKNOWN_MEMBER, type ValidationError, type Validator } from './validators';

/** Looks at a body that has passed its schema; returns what is wrong, an empty list for nothing. */
export type BodyCheck = (event: MvcEvent, body: unknown) => MaybePromise<readonly ValidationError[]>;

/** What an endpoint wants of its input. */
export interface ValidationPolicy {
  /** Undefined where there is no body. */
  readonly body?: Validator | undefined;
  /** The same for a body that came as a form. */
  readonly form?: Validator | undefined;
  /** What is checked beyond the schema. */
  readonly check?: BodyCheck | undefined;
  /** Of the query parameters. */
  readonly query?: Validator | undefined;
}

declare module '../../framework' {
  interface Endpoint {
    readonly validation?: ValidationPolicy;
  }
  interface MvcEvent {
    /** The query parameters in the types that were declared. */
    query?: Readonly<Record<string, unknown>>;
  }
}

/** Validates query and body before the handler runs: 400 names the parameters, 422 every member that is wrong. */
export class ValidationListener extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('route', (event) => validate(event), priorities.route.validation)];
  }
}

function validate(event: MvcEvent): MaybePromise<void> {
  const policy = event.endpoint?.validation;
  if (policy?.query !== undefined) event.query = validQuery(event, policy.query);
  const body = event.isForm === true ? (policy?.form ?? policy?.body) : policy?.body;
  if (body !== undefined) event.body = validBody(event, body);
  if (policy?.check === undefined) return undefined;
  return andThen(policy.check(event, event.body), (errors) => {
    if (errors.length > 0) throw failedValidation(errors);
  });
}

/** Never written to. */
const NO_QUERY = new URLSearchParams();

function validQuery(event: MvcEvent, validator: Validator): Readonly<Record<string, unknown>> {
  // Most requests have none: nothing is taken apart for them.
  const checked = validator(event.request.rawQuery === '' ? NO_QUERY : event.request.query);
  // A validator of queries makes a record of what it gets.
  if ('value' in checked) return checked.value as Readonly<Record<string, unknown>>;
  const errors = parameterErrors(checked.errors);
  throw problem('bad_query', { names: errors.map(({ parameter }) => parameter) }, { extensions: { errors } });
}

function validBody(event: MvcEvent, validator: Validator): unknown {
  if (event.body === undefined)
    throw failedValidation([{ pointer: '', keyword: 'required', message: 'a body is required' }]);
  const checked = validator(event.body);
  if ('value' in checked) return checked.value;
  throw failedValidation(checked.errors);
}

/** What is wrong with a body, as the answer. */
export function failedValidation(errors: readonly ValidationError[]): Problem {
  return problem('failed_validation', { count: errors.length }, { extensions: { errors } });
}

/** What is wrong with a query, once for each parameter. */
export function parameterErrors(
  errors: readonly ValidationError[],
): readonly { readonly parameter: string; readonly message: string }[] {
  const messages = new Map<string, Set<string>>();
  for (const { pointer, message } of errors) {
    const [parameter = '', ...inside] = parsePointer(pointer);
    const text = message === UNKNOWN_MEMBER && inside.length === 0 ? 'unknown query parameter' : message;
    messages.set(parameter, (messages.get(parameter) ?? new Set()).add(text));
  }
  return [...messages].map(([parameter, all]) => ({ parameter, message: [...all].join(', and ') }));
}
