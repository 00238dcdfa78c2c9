import {
  Listeners,
  priorities,
  problem,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Problem,
} from '../../framework';
import type { ValidationError, Validator } from './compile';

/** What an endpoint wants of its input. */
export interface ValidationPolicy {
  /** Undefined where there is no body. */
  readonly body?: Validator | undefined;
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

function validate(event: MvcEvent): void {
  const policy = event.endpoint?.validation;
  if (policy?.query !== undefined) event.query = validQuery(event, policy.query);
  if (policy?.body !== undefined) event.body = validBody(event, policy.body);
}

function validQuery(event: MvcEvent, validator: Validator): Readonly<Record<string, unknown>> {
  const checked = validator(event.request.query);
  // A validator of queries makes a record of what it gets.
  if ('value' in checked) return checked.value as Readonly<Record<string, unknown>>;
  const errors = checked.errors.map(({ pointer, message }) => ({ parameter: parameterAt(pointer), message }));
  throw problem('bad_query', { names: errors.map(({ parameter }) => parameter) }, { extensions: { errors } });
}

function validBody(event: MvcEvent, validator: Validator): unknown {
  if (event.body === undefined)
    throw invalid([{ pointer: '', keyword: 'required', message: 'a body is required' }]);
  const checked = validator(event.body);
  if ('value' in checked) return checked.value;
  throw invalid(checked.errors);
}

function invalid(errors: readonly ValidationError[]): Problem {
  return problem('failed_validation', { count: errors.length }, { extensions: { errors } });
}

/** The parameter that a JSON Pointer leads to or into, as the client wrote its name. */
function parameterAt(pointer: string): string {
  const [, name = ''] = pointer.split('/');
  return name.replace(/~1/g, '/').replace(/~0/g, '~');
}
