import { isAbortError } from '../errors/is-abort-error';
import type { EventManager } from '../events/event-manager';
import type { MaybeResults, ResultCollection } from '../events/result-collection';
import { andThen, isThenable, type MaybePromise } from '../events/maybe-promise';
import { discard } from '../http/discard';
import { problemHead, problemResponse } from '../http/server/problem-response';
import { isResponse, type Response } from '../http/response';
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

/** The part of an event manager that the kernel uses. */
type RequestTriggers = Pick<EventManager<RequestEvents>, 'trigger' | 'triggerUntil'>;

/**
 * Handles a request with the events `route → dispatch → render → response`. A listener that returns a Response skips
 * to `response`; an error that a listener throws or returns becomes a problem through `dispatch.error` or
 * `render.error`. Synchronous paths create no promises.
 */
export class Kernel {
  readonly #events: RequestTriggers;
  readonly #failure: FailureObserver;

  /** @param failure is called for every request that fails; it must not throw */
  constructor(events: RequestTriggers, failure: FailureObserver) {
    this.#events = events;
    this.#failure = failure;
  }

  // Each step calls the next one, so that an asynchronous one costs a single promise.
  handle(event: MvcEvent): MaybePromise<void> {
    return this.#run('route', 'dispatch.error', event, this.#dispatch);
  }

  readonly #dispatch: Step = (event, isOpen) =>
    isOpen ? this.#run('dispatch', 'dispatch.error', event, this.#render) : this.#render(event, isOpen);

  readonly #render: Step = (event, isOpen) =>
    event.answered ? this.#respond(event, isOpen) : this.#run('render', 'render.error', event, this.#respond);

  readonly #respond: Step = (event) => {
    try {
      const sent = this.#events.trigger('response', event);
      if (!isThenable(sent)) {
        this.#assertSent(sent, event);
        return undefined;
      }
      return sent.then(
        (results) => this.#assertSent(results, event),
        (error: unknown) => this.#abort(event, error),
      );
    } catch (error) {
      this.#abort(event, error);
      return undefined;
    }
  };

  /** Triggers an event, and the error event if a listener throws; then continues with a step. */
  #run(
    name: 'route' | 'dispatch' | 'render',
    errorEvent: ErrorEvent,
    event: MvcEvent,
    next: Step,
  ): MaybePromise<void> {
    let results: MaybeResults;
    try {
      results = this.#events.triggerUntil(isOutcome, name, event);
    } catch (error) {
      return this.#fail(errorEvent, event, error, next);
    }
    if (!isThenable(results)) return this.#continue(results, errorEvent, event, next);
    return results.then(
      (settled) => this.#continue(settled, errorEvent, event, next),
      (error: unknown) => this.#fail(errorEvent, event, error, next),
    );
  }

  #continue(
    results: ResultCollection,
    errorEvent: ErrorEvent,
    event: MvcEvent,
    next: Step,
  ): MaybePromise<void> {
    if (results.last instanceof Error) return this.#fail(errorEvent, event, results.last, next);
    let isOpen;
    try {
      isOpen = setResponse(results, event);
      if (results.stopped && isOpen) this.#assertComplete(event, next);
    } catch (error) {
      return this.#fail(errorEvent, event, error, next);
    }
    return next(event, isOpen);
  }

  /** @throws TypeError if nobody has authorized a request, or rendered its response, as a listener has stopped the event */
  #assertComplete({ name, response }: MvcEvent, next: Step): void {
    if (next === this.#dispatch || (next === this.#respond && response.body === null))
      throw new TypeError(
        `A listener of ${name} stopped the event without a response. Return a Response, or throw a Problem.`,
      );
  }

  #fail(errorEvent: ErrorEvent, event: MvcEvent, error: unknown, next: Step): MaybePromise<void> {
    return andThen(this.#handleError(errorEvent, event, error), () => next(event, false));
  }

  /** Triggers the error event; if that fails too, responds with the bare problem. */
  #handleError(name: ErrorEvent, event: MvcEvent, error: unknown): MaybePromise<void> {
    const { viewModel } = event;
    const problem = (event.problem = this.#toProblem(error, event));
    // A listener may stop the event with a view model: it is rendered without the status and the fields of a success.
    const head = name === 'dispatch.error' ? problemHead(problem) : event.response;
    event.response = head;
    const onTriggered = (results: ResultCollection): void => {
      if (!setResponse(results, event) || !results.stopped) return;
      if (name === 'dispatch.error' && event.viewModel !== viewModel) {
        if (event.response === head && event.problem !== undefined && event.problem !== problem)
          event.response = problemHead(event.problem);
        return;
      }
      // Nothing has responded, and what was rendered before is that of a success.
      event.response = problemResponse(event.problem ?? problem, event.request.id);
      event.answered = true;
    };
    const onSecondError = (second: unknown): void => {
      event.problem = this.#toProblem(second, event);
      event.response = problemResponse(event.problem, event.request.id);
      event.answered = true;
    };
    try {
      const triggered = this.#events.triggerUntil(isResponse, name, event);
      if (isThenable(triggered)) return triggered.then(onTriggered).then(undefined, onSecondError);
      onTriggered(triggered);
      return undefined;
    } catch (second) {
      onSecondError(second);
      return undefined;
    }
  }

  #toProblem(error: unknown, event: MvcEvent): Problem {
    const problem = toProblem(error);
    // Work that was given up as its client has disconnected has not failed: the access log has the request.
    if (problem.status >= 500 && !(event.request.isAborted && isAbortError(error)))
      this.#failure({ event, problem, error: problem.cause ?? nothingThrown(error) ?? problem });
    return problem;
  }

  /** Aborts a response whose event was stopped before it was sent: its client would wait for it. */
  #assertSent({ stopped }: ResultCollection, event: MvcEvent): void {
    if (stopped && !event.outgoing.headersSent)
      this.#abort(
        event,
        new TypeError(
          'A listener of response stopped the event before the response was sent. Change event.response instead.',
        ),
      );
  }

  /** Handles an error of a `response` listener: responds with the bare problem, or closes the connection. */
  #abort(event: MvcEvent, error: unknown): void {
    const problem = this.#toProblem(error, event);
    if (event.outgoing.headersSent) {
      event.outgoing.destroy();
      return;
    }
    // A stream that nobody reads would keep its file or query open.
    discard(event.response);
    // A head that Node has refused has left its reason phrase (RFC 9112, 4).
    event.outgoing.statusMessage = '';
    problemResponse(problem, event.request.id).send(event.outgoing, event.request.method);
  }
}

/**
 * Whether the result of a listener ends its event: returning a Problem is faster than throwing it, a tenth of the time of a
 * refused request. Every error does: ignored, as a Problem of another copy of the package would be, it refuses nothing.
 */
export function isOutcome(result: unknown): result is Response | Error {
  return result instanceof Error || isResponse(result);
}

/**
 * Sets the response that a listener returned; a copy, because it may return the same one for other clients, and listeners
 * of `response` add the fields of this one.
 * @returns whether there is none
 */
function setResponse({ last }: ResultCollection, event: MvcEvent): boolean {
  if (!isResponse(last)) return true;
  if (last !== event.response) event.response = last.copy();
  event.answered = true;
  return false;
}

/** The error that the log has for a thrown undefined or null, which describes nothing itself. */
function nothingThrown(error: unknown): TypeError | undefined {
  if (error !== undefined && error !== null) return undefined;
  return new TypeError(`${String(error)} was thrown instead of an error.`);
}

type ErrorEvent = 'dispatch.error' | 'render.error';

/** Continues with a request. @param isOpen whether no listener has responded or thrown */
type Step = (event: MvcEvent, isOpen: boolean) => MaybePromise<void>;
