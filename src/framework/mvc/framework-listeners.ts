import { Readable } from 'node:stream';
import type { Event } from '../events/event';
import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import { problemHead, problemResponse } from '../http/server/problem-response';
import { Negotiator } from '../http/negotiation/negotiate';
import { Response } from '../http/response';
import { Problem } from '../problem/problem';
import { toProblem } from '../problem/to-problem';
import type { Router } from '../routing/router';
import { ProblemModel } from '../view/json/json-model';
import type { View } from '../view/view';
import { ViewModel } from '../view/view-model';
import type { RequestEvents } from './kernel';
import { priorities } from './lifecycle';
import type { MvcEvent, RouteTarget } from './mvc-event';
import type { FailureObserver } from './request-failure';
import { addAllow, findEndpoint, matchRoute, respondToMethod, selectTarget } from './route-request';

/** The template of HTML error pages. */
export const ERROR_TEMPLATE = 'platform/error';

export interface FrameworkOptions {
  readonly hasErrorPage: boolean;
  readonly showExceptions: boolean;
  /** Returns the URL of the error reference; undefined if none is served. */
  readonly errorsUrl: () => string | undefined;
  /** Is notified of view models of problems, and of streams that fail after their response has begun; it must not throw. */
  readonly onFailure: FailureObserver;
}

/** The framework's own listeners for request events. */
export class FrameworkListeners<M extends RequestEvents & Record<keyof M, Event>> extends Listeners<M> {
  readonly #router: Router<RouteTarget>;
  readonly #view: View;
  readonly #hasErrorPage: boolean;
  readonly #showExceptions: boolean;
  readonly #errorsUrl: () => string | undefined;
  readonly #onFailure: FailureObserver;
  readonly #problemTypes = new Negotiator(['application/problem+json', 'application/json', HTML]);

  constructor(router: Router<RouteTarget>, view: View, options: FrameworkOptions) {
    super();
    this.#router = router;
    this.#view = view;
    this.#hasErrorPage = options.hasErrorPage;
    this.#showExceptions = options.showExceptions;
    this.#errorsUrl = options.errorsUrl;
    this.#onFailure = options.onFailure;
  }

  protected override listeners(events: EventManager<M>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => this.#match(event), priorities.route.match),
      events.attach('route', (event) => selectTarget(event), priorities.route.scope),
      events.attach('route', (event) => this.#findEndpoint(event), priorities.route.endpoint),
      events.attach('route', (event) => this.#respondToMethod(event), priorities.route.method),
      events.attach('dispatch', (event) => dispatch(event, this.#onFailure), priorities.dispatch.handler),
      events.attach('dispatch.error', (event) => this.#showProblem(event)),
      events.attach('render', (event) => this.#render(event), priorities.render.view),
      events.attach('render.error', (event) =>
        problemResponse(event.problem ?? toProblem(undefined), event.request.id, this.#errorsUrl()),
      ),
      events.attach('response', (event) => send(event, this.#onFailure), priorities.response.send),
    ];
  }

  // Listeners have the names of methods.
  #match(event: MvcEvent): Response | Problem | undefined {
    return matchRoute(this.#router, event);
  }

  #findEndpoint(event: MvcEvent): void {
    findEndpoint(event);
  }

  #respondToMethod(event: MvcEvent): Response | Problem | undefined {
    return respondToMethod(event);
  }

  #showProblem(event: MvcEvent): void {
    if (event.problem === undefined) return;
    if (this.#showExceptions) event.problem = withTrace(event.problem);
    event.response = problemHead(event.problem);
    if (this.#hasErrorPage && event.problem.status !== 401) event.response.fields.addToList('Vary', 'Accept');
    event.viewModel = this.#wantsPage(event)
      ? pageOf(event.problem, event.request.id, this.#errorsUrl())
      : new ProblemModel(event.problem, event.request.id, this.#errorsUrl());
  }

  /** A 401 is never an HTML page: it is meant for the client software (specification, 7). */
  #wantsPage(event: MvcEvent): boolean {
    if (!this.#hasErrorPage || event.problem?.status === 401) return false;
    return this.#problemTypes.choose(event.request.header('accept')) === HTML;
  }

  #render(event: MvcEvent): MaybePromise<void> {
    const { viewModel, runInContext, endpoint, request } = event;
    if (viewModel === undefined) {
      throw new TypeError(`${endpoint?.name ?? request.path} returned a result without a view model.`);
    }
    // A listener has set it: problems of handlers and errors have their response already.
    if (viewModel.content instanceof Problem && viewModel.content !== event.problem) {
      if (event.problem === undefined) setProblem(event, viewModel.content, this.#onFailure);
      else replaceProblem(event, event.problem, viewModel.content, this.#onFailure);
    }
    const { response } = event;
    return runInContext === undefined
      ? this.#view.render(viewModel, response)
      : runInContext(() => this.#view.render(viewModel, response));
  }
}

const HTML = 'text/html';

function pageOf(problem: Problem, requestId: string, errorsUrl: string | undefined): ViewModel {
  return new ViewModel({ problem: problem.documentFor(requestId, errorsUrl) }, { template: ERROR_TEMPLATE });
}

/** Adds the stack of the cause to the problem document, for development. */
function withTrace(problem: Problem): Problem {
  if (!(problem.cause instanceof Error)) return problem;
  const trace = problem.cause.stack?.split('\n').map((line) => line.trim());
  const { title, type, code, fields, extensions } = problem;
  return new Problem(problem.status, problem.detail, {
    title,
    type,
    ...(code === undefined ? {} : { code }),
    fields,
    extensions: { ...extensions, trace },
  });
}

/** Calls the handler. A view model or Response is used directly, and a returned Problem is thrown. */
function dispatch(event: MvcEvent, onFailure: FailureObserver): MaybePromise<unknown> {
  const result = event.endpoint?.handler(event);
  // A handler may return a thenable that is not a promise.
  return isThenable(result)
    ? Promise.resolve(result).then((settled) => setResult(event, settled, onFailure))
    : setResult(event, result, onFailure);
}

function setResult(event: MvcEvent, result: unknown, onFailure: FailureObserver): Response | undefined {
  if (result instanceof Response) return withCookies(result, event.response);
  if (result instanceof Problem) throw result;
  if (result instanceof ViewModel) {
    event.viewModel = result;
    if (result.content instanceof Problem) setProblem(event, result.content, onFailure);
  }
  event.result = result;
  return undefined;
}

/** A model of a problem keeps its shape; its response has the status of the problem (RFC 9457, 3.1.2) and its fields. */
function setProblem(event: MvcEvent, problem: Problem, onFailure: FailureObserver): void {
  event.problem = problem;
  event.response = problemHead(problem);
  if (problem.status >= 500) onFailure({ event, problem, error: problem.cause ?? problem });
}

/** Shows another problem; the response keeps the fields that listeners have added, and has no status but that of its document. */
function replaceProblem(event: MvcEvent, old: Problem, shown: Problem, onFailure: FailureObserver): void {
  const { fields } = event.response;
  const isOther = shown.status !== event.response.status;
  for (const [name] of [...(isOther ? old.fields : []), ...shown.fields])
    if (!isKept(name)) fields.delete(name);
  for (const [name, value] of shown.fields)
    if (isVary(name)) for (const member of value.split(',')) fields.addToList(name, member.trim());
    else fields.append(name, value);
  event.response.status = shown.status;
  event.problem = shown;
  // That of the other one is logged already.
  if (shown.status >= 500 && old.status < 500)
    onFailure({ event, problem: shown, error: shown.cause ?? shown });
}

/** Caches must know all headers that listeners have read, and clients receive the cookies of each. */
function isKept(name: string): boolean {
  return isVary(name) || name.toLowerCase() === 'set-cookie';
}

function isVary(name: string): boolean {
  return name.toLowerCase() === 'vary';
}

/** Returns a response of a handler with the cookies that it has set before; a copy, as in the kernel. */
function withCookies(response: Response, previous: Response): Response {
  if (response === previous || !previous.fields.has('Set-Cookie')) return response;
  const copy = response.copy();
  copy.fields.appendFrom(previous.fields, 'Set-Cookie');
  return copy;
}

function send(event: MvcEvent, onFailure: FailureObserver): void {
  addAllow(event);
  const { response, outgoing, request } = event;
  // Only streams can fail while they are sent.
  if (!(response.body instanceof Readable)) response.send(outgoing, request.method);
  else
    response.send(outgoing, request.method, (error) => {
      const problem = toProblem(error);
      onFailure({ event, problem, error: problem.cause ?? problem, hasBegun: true });
    });
}
