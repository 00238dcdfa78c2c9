import type { EventManager } from '../events/event-manager';
import type { ResultCollection } from '../events/result-collection';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import { problemResponse } from '../http/server/problem-response';
import { Response } from '../http/response';
import type { Problem } from '../problem/problem';
import { toProblem } from '../problem/to-problem';
import type { MvcEvent } from './mvc-event';
import type { FailureObserver } from './request-failure';

/** The events of a request. */
export interface RequestEvents {
  route: MvcEvent;
  dispatch: MvcEvent;
  'dispatch.error': MvcEvent;
  render: MvcEvent;
  'render.error': MvcEvent;
  response: MvcEvent;
}

/** What the kernel needs of an event manager that has these events, and perhaps more. */
type RequestTriggers = Pick<EventManager<RequestEvents>, 'trigger' | 'triggerUntil'>;

const isResponse = (result: unknown): result is Response => result instanceof Response;

/**
 * Takes a request through `route → dispatch → render → response`. A listener answers by returning a Response,
 * which jumps to `response`; what a listener throws becomes a problem through `dispatch.error` or
 * `render.error`. Where nothing is asynchronous, no promise is made.
 */
export class Kernel {
  readonly #events: RequestTriggers;
  readonly #failure: FailureObserver;

  /** @param failure told of each request that fails; it must not throw */
  constructor(events: RequestTriggers, failure: FailureObserver) {
    this.#events = events;
    this.#failure = failure;
  }

  // Each step goes on by itself where nothing has to be waited for, and what has to be is waited for once.
  handle(event: MvcEvent): MaybePromise<void> {
    const acted = this.#routeAndDispatch(event);
    return isThenable(acted) ? acted.then(() => this.#render(event)) : this.#render(event);
  }

  #routeAndDispatch(event: MvcEvent): MaybePromise<boolean> {
    const routed = this.#run('route', 'dispatch.error', event);
    if (isThenable(routed)) return routed.then((isOpen) => isOpen && this.#dispatch(event));
    return routed && this.#dispatch(event);
  }

  #dispatch(event: MvcEvent): MaybePromise<boolean> {
    return this.#run('dispatch', 'dispatch.error', event);
  }

  #render(event: MvcEvent): MaybePromise<void> {
    const rendered = event.answered || this.#run('render', 'render.error', event);
    return isThenable(rendered) ? rendered.then(() => this.#respond(event)) : this.#respond(event);
  }

  #respond(event: MvcEvent): MaybePromise<void> {
    try {
      const sent = this.#events.trigger('response', event);
      if (!isThenable(sent)) return undefined;
      return sent.then(
        () => undefined,
        (error: unknown) => this.#abort(event, error),
      );
    } catch (error) {
      this.#abort(event, error);
      return undefined;
    }
  }

  /**
   * Triggers an event, and in its place another one when a listener throws.
   * @returns whether the request is still open: nobody has answered, and nothing has failed
   */
  #run(name: 'route' | 'dispatch' | 'render', otherwise: ErrorEvent, event: MvcEvent): MaybePromise<boolean> {
    try {
      const results = this.#events.triggerUntil(isResponse, name, event);
      return isThenable(results) ? this.#runLater(results, otherwise, event) : takeResponse(results, event);
    } catch (error) {
      const failed = this.#handleError(otherwise, event, error);
      return isThenable(failed) ? failed.then(() => false) : false;
    }
  }

  async #runLater(
    results: PromiseLike<ResultCollection>,
    otherwise: ErrorEvent,
    event: MvcEvent,
  ): Promise<boolean> {
    try {
      return takeResponse(await results, event);
    } catch (error) {
      const failed = this.#handleError(otherwise, event, error);
      if (isThenable(failed)) await failed;
      return false;
    }
  }

  /** The error's event makes the answer; when even that fails, the bare problem is the answer. */
  #handleError(name: ErrorEvent, event: MvcEvent, error: unknown): MaybePromise<void> {
    event.problem = this.#toProblem(error, event);
    const second = (again: unknown): void => {
      event.problem = this.#toProblem(again, event);
      event.response = problemResponse(event.problem, event.request.id);
      event.answered = true;
    };
    try {
      const shown = this.#events.triggerUntil(isResponse, name, event);
      if (isThenable(shown))
        return shown.then((results) => void takeResponse(results, event)).then(undefined, second);
      takeResponse(shown, event);
      return undefined;
    } catch (again) {
      second(again);
      return undefined;
    }
  }

  #toProblem(error: unknown, event: MvcEvent): Problem {
    const problem = toProblem(error);
    if (problem.status >= 500) {
      this.#failure({ event, problem, error: problem.cause ?? problem });
    }
    return problem;
  }

  /** A listener of `response` failed: too late for other listeners, perhaps too late for an answer. */
  #abort(event: MvcEvent, error: unknown): void {
    const problem = this.#toProblem(error, event);
    if (event.outgoing.headersSent) event.outgoing.destroy();
    else problemResponse(problem, event.request.id).send(event.outgoing, event.request.method);
  }
}

/** Takes the answer that a listener returned. @returns whether there is none yet */
function takeResponse({ last }: ResultCollection, event: MvcEvent): boolean {
  if (!isResponse(last)) return true;
  event.response = last;
  event.answered = true;
  return false;
}

type ErrorEvent = 'dispatch.error' | 'render.error';
