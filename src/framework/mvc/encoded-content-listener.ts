import type { Event } from '../events/event';
import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import { negotiateCoding } from '../http/negotiation/content-coding';
import { isNoneMatch, isStrongMatch } from '../http/entity-tag';
import { BoundedCache } from '../http/bounded-cache';
import type { EncodedVariant } from '../http/encoded-content';
import { problemResponse } from '../http/server/problem-response';
import { problem } from '../problem/errors';
import { ProblemModel } from '../view/json/json-model';
import type { RequestEvents } from './kernel';
import { priorities } from './lifecycle';
import type { MvcEvent } from './mvc-event';

/**
 * At `response`, sends cached content in the content coding that the client prefers, or responds 304 if it has not
 * changed, and 412 if it is not what the client expects (RFC 9110, 13.2.2).
 */
export class EncodedContentListener<M extends RequestEvents & Record<keyof M, Event>> extends Listeners<M> {
  readonly #codings = new BoundedCache(negotiateCoding);
  readonly #errorsUrl: () => string | undefined;

  /** @param errorsUrl returns the URL of the error reference; undefined if none is served */
  constructor(errorsUrl: () => string | undefined) {
    super();
    this.#errorsUrl = errorsUrl;
  }

  protected override listeners(events: EventManager<M>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#encode(event), priorities.response.representation)];
  }

  #encode(event: MvcEvent): MaybePromise<void> {
    const { encodedContent, status } = event.response;
    if (encodedContent === undefined || status !== 200) return undefined;
    const acceptEncoding = event.request.header('accept-encoding');
    const coding = acceptEncoding === undefined ? 'identity' : this.#codings.get(acceptEncoding);
    return andThen(encodedContent.in(coding), (variant) => this.#fill(event, variant));
  }

  #fill(event: MvcEvent, { bytes, etag, coding }: EncodedVariant): void {
    const { request, response } = event;
    const ifMatch = request.header('if-match');
    if (ifMatch !== undefined && !isStrongMatch(ifMatch, etag)) {
      const reason = 'The content has another entity tag than those in If-Match.';
      event.problem = problem('precondition_failed', { reason });
      const errorsUrl = this.#errorsUrl();
      // Listeners know pages by their view model.
      event.viewModel = new ProblemModel(event.problem, request.id, errorsUrl);
      event.response = problemResponse(event.problem, request.id, errorsUrl);
      return;
    }
    response.fields.addToList('Vary', 'Accept-Encoding');
    response.fields.set('ETag', etag);
    if (isNoneMatch(request.header('if-none-match'), etag)) {
      response.status = 304;
      response.body = null;
      response.fields.delete('Content-Type');
      return;
    }
    response.body = bytes;
    if (coding !== 'identity') response.fields.set('Content-Encoding', coding);
  }
}
