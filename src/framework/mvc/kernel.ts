import type { EventManager } from '../events/event-manager';
import type { ResultCollection } from '../events/result-collection';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import { bareResponse } from '../http/bare-problem';
import { Response } from '../http/response';
import { toProblem, type Problem } from '../problem/problem';
import type { Log } from './log';
import type { MvcEvent } from './mvc-event';

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
  readonly #log: Log;

  constructor(events: RequestTriggers, log: Log) {
    this.#events = events;
    this.#log = log;
  }

  // Each step goes on by itself where nothing has to be waited for: functions are made only for what is waited for.
  handle(event: MvcEvent): MaybePromise<void> {
    const acted = this.#act(event);
    return isThenable(acted) ? acted.then(() => this.#show(event)) : this.#show(event);
  }

  #act(event: MvcEvent): MaybePromise<void> {
    try {
      const routed = this.#untilAnswered('route', event);
      const acted = isThenable(routed) ? routed.then(() => this.#dispatch(event)) : this.#dispatch(event);
      return isThenable(acted)
        ? acted.then(undefined, (error: unknown) => this.#failed('dispatch.error', event, error))
        : acted;
    } catch (error) {
      return this.#failed('dispatch.error', event, error);
    }
  }

  #dispatch(event: MvcEvent): MaybePromise<void> {
    return event.answered ? undefined : this.#untilAnswered('dispatch', event);
  }

  #show(event: MvcEvent): MaybePromise<void> {
    const rendered = this.#render(event);
    return isThenable(rendered) ? rendered.then(() => this.#respond(event)) : this.#respond(event);
  }

  #render(event: MvcEvent): MaybePromise<void> {
    if (event.answered) return undefined;
    try {
      const rendered = this.#untilAnswered('render', event);
      return isThenable(rendered)
        ? rendered.then(undefined, (error: unknown) => this.#failed('render.error', event, error))
        : rendered;
    } catch (error) {
      return this.#failed('render.error', event, error);
    }
  }

  #respond(event: MvcEvent): MaybePromise<void> {
    try {
      const sent = this.#events.trigger('response', event);
      if (!isThenable(sent)) return undefined;
      return sent.then(
        () => undefined,
        (error: unknown) => this.#cutOff(event, error),
      );
    } catch (error) {
      this.#cutOff(event, error);
      return undefined;
    }
  }

  #untilAnswered(name: 'route' | 'dispatch' | 'render' | ErrorEvent, event: MvcEvent): MaybePromise<void> {
    const results = this.#events.triggerUntil(isResponse, name, event);
    if (isThenable(results)) return results.then((all) => this.#take(all, event));
    this.#take(results, event);
    return undefined;
  }

  #take({ last }: ResultCollection, event: MvcEvent): void {
    if (!isResponse(last)) return;
    event.response = last;
    event.answered = true;
  }

  /** The error's event makes the answer; when even that fails, the bare problem is the answer. */
  #failed(name: ErrorEvent, event: MvcEvent, error: unknown): MaybePromise<void> {
    event.problem = this.#toProblem(error, event);
    const second = (again: unknown): void => {
      event.problem = this.#toProblem(again, event);
      event.response = bareResponse(event.problem, event.request.id);
      event.answered = true;
    };
    try {
      const shown = this.#untilAnswered(name, event);
      return isThenable(shown) ? shown.then(undefined, second) : shown;
    } catch (again) {
      second(again);
      return undefined;
    }
  }

  #toProblem(error: unknown, event: MvcEvent): Problem {
    const problem = toProblem(error);
    if (problem.status >= 500) {
      this.#note(problem, event);
    }
    return problem;
  }

  /** What was thrown may be anything, even something that a log cannot write: the request is answered all the same. */
  #note(problem: Problem, { request: { id, method, path } }: MvcEvent): void {
    try {
      this.#log.error({ err: problem.cause ?? problem, request_id: id, method, path }, 'The request failed.');
    } catch (error) {
      this.#log.error(
        { request_id: id, method, path },
        `The request failed, and its error could not be logged: ${String(error)}`,
      );
    }
  }

  /** A listener of `response` failed: too late for other listeners, perhaps too late for an answer. */
  #cutOff(event: MvcEvent, error: unknown): void {
    const problem = this.#toProblem(error, event);
    if (event.outgoing.headersSent) event.outgoing.destroy();
    else bareResponse(problem, event.request.id).send(event.outgoing, event.request.method);
  }
}

type ErrorEvent = 'dispatch.error' | 'render.error';
