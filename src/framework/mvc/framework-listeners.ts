import { Readable } from 'node:stream';
import type { ApplicationEvents } from '../application/events';
import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import { repeatable } from '../events/repeatable';
import { bareResponse } from '../http/bare-problem';
import { Negotiator } from '../http/negotiation';
import { Response } from '../http/response';
import { problem } from '../problem/errors';
import { Problem, toProblem } from '../problem/problem';
import type { Router } from '../routing/router';
import { ProblemModel } from '../view/problem-model';
import type { View } from '../view/view';
import { ViewModel } from '../view/view-model';
import { priorities } from './lifecycle';
import type { MvcEvent, RouteTarget } from './mvc-event';

/** Makes the page of a problem, for people who asked for HTML. */
export const ERROR_TEMPLATE = 'platform/error';

/** What the framework itself does at each event of a request. */
export class FrameworkListeners extends Listeners<ApplicationEvents> {
  readonly #router: Router<RouteTarget>;
  readonly #view: View;
  readonly #hasErrorPage: boolean;
  readonly #showExceptions: boolean;
  readonly #problemTypes = new Negotiator(['application/problem+json', 'application/json', HTML]);

  constructor(
    router: Router<RouteTarget>,
    view: View,
    options: { readonly hasErrorPage: boolean; readonly showExceptions: boolean },
  ) {
    super();
    this.#router = router;
    this.#view = view;
    this.#hasErrorPage = options.hasErrorPage;
    this.#showExceptions = options.showExceptions;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        repeatable((event) => this.#match(event)),
        priorities.route.match,
      ),
      events.attach(
        'route',
        repeatable((event) => selectEndpoint(event)),
        priorities.route.method,
      ),
      events.attach(
        'dispatch',
        repeatable((event) => dispatch(event)),
        priorities.dispatch.handler,
      ),
      events.attach('dispatch.error', (event) => this.#showProblem(event)),
      events.attach(
        'render',
        repeatable((event) => this.#render(event)),
        priorities.render.view,
      ),
      events.attach('render.error', (event) =>
        bareResponse(event.problem ?? toProblem(undefined), event.request.id),
      ),
      events.attach(
        'response',
        repeatable((event) => send(event)),
        priorities.response.send,
      ),
    ];
  }

  #match(event: MvcEvent): void {
    const { path } = event.request;
    const match = this.#router.match(path);
    if (match === undefined) throw problem('route_not_found', { path });
    event.match = match;
    event.methods = match.route.target.methods;
  }

  #showProblem(event: MvcEvent): void {
    if (event.problem === undefined) return;
    if (this.#showExceptions) event.problem = withTrace(event.problem);
    event.response = new Response(event.problem.status, null, event.problem.fields);
    if (this.#hasErrorPage && event.problem.status !== 401) event.response.fields.addToList('Vary', 'Accept');
    event.viewModel = this.#wantsPage(event)
      ? pageOf(event.problem, event.request.id)
      : new ProblemModel(event.problem, event.request.id);
  }

  /** A 401 is never a page: what it says is for the client's software (specification, 7). */
  #wantsPage(event: MvcEvent): boolean {
    if (!this.#hasErrorPage || event.problem?.status === 401) return false;
    return this.#problemTypes.choose(event.request.header('accept')) === HTML;
  }

  #render({ viewModel, response, within, endpoint, request }: MvcEvent): MaybePromise<void> {
    if (viewModel === undefined) {
      throw new TypeError(`${endpoint?.name ?? request.path} made no view model of its result.`);
    }
    return within === undefined
      ? this.#view.render(viewModel, response)
      : within(() => this.#view.render(viewModel, response));
  }
}

const HTML = 'text/html';

function pageOf(problem: Problem, requestId: string): ViewModel {
  return new ViewModel({ problem: problem.documentFor(requestId) }, { template: ERROR_TEMPLATE });
}

/** For development: the stack of what was thrown, as a member of the document. */
function withTrace(problem: Problem): Problem {
  if (!(problem.cause instanceof Error)) return problem;
  const trace = problem.cause.stack?.split('\n').map((line) => line.trim());
  const { title, type, fields, extensions } = problem;
  return new Problem(problem.status, problem.detail, {
    title,
    type,
    fields,
    extensions: { ...extensions, trace },
  });
}

/** The operation of the method; without one 405, or the answer to OPTIONS, both with `Allow`. */
function selectEndpoint(event: MvcEvent): Response | undefined {
  const { methods, request } = event;
  if (methods === undefined) throw problem('route_not_found', { path: request.path });
  event.endpoint = methods.endpoints.get(request.method);
  if (event.endpoint !== undefined) return undefined;
  const { allow } = methods;
  if (request.method === 'OPTIONS') return new Response(204, null, [['Allow', allow]]);
  throw problem('method_not_allowed', { method: request.method, allow }, { fields: [['Allow', allow]] });
}

/** Calls the handler; a view model or Response it makes is taken as it is, a Problem as if it had thrown it. */
function dispatch(event: MvcEvent): MaybePromise<unknown> {
  const result = event.endpoint?.handler(event);
  // A handler's promise need not be one: what is thenable is taken for a promise of it.
  return isThenable(result)
    ? Promise.resolve(result).then((there) => keep(event, there))
    : keep(event, result);
}

function keep(event: MvcEvent, result: unknown): Response | undefined {
  if (result instanceof Response) return result;
  if (result instanceof Problem) throw result;
  if (result instanceof ViewModel) event.viewModel = result;
  event.result = result;
  return undefined;
}

function send(event: MvcEvent): void {
  const { response, outgoing, request } = event;
  // Only what comes in pieces can fail when it is on its way.
  if (!(response.body instanceof Readable)) response.send(outgoing, request.method);
  else response.send(outgoing, request.method, (error) => tellBroken(event, error));
}

function tellBroken({ log, endpoint }: MvcEvent, err: unknown): void {
  log.error({ err, operation: endpoint?.name }, 'A stream ended before its time.');
}
