import type { Event } from '../events/event';
import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import { negotiateCoding } from '../http/negotiation/content-coding';
import { isNoneMatch } from '../http/entity-tag';
import { BoundedCache } from '../http/bounded-cache';
import type { EncodedVariant } from '../http/encoded-content';
import type { RequestEvents } from './kernel';
import { priorities } from './lifecycle';
import type { MvcEvent } from './mvc-event';

/**
 * At `response`, sends what is kept of a representation in the coding that the client likes best, or says that it
 * has not changed.
 */
export class EncodedContentListener<M extends RequestEvents & Record<keyof M, Event>> extends Listeners<M> {
  readonly #codings = new BoundedCache(negotiateCoding);

  protected override listeners(events: EventManager<M>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#answer(event), priorities.response.representation)];
  }

  #answer(event: MvcEvent): MaybePromise<void> {
    const { encodedContent: representation, status } = event.response;
    if (representation === undefined || status !== 200) return undefined;
    const wish = event.request.header('accept-encoding');
    const coding = wish === undefined ? 'identity' : this.#codings.get(wish);
    return andThen(representation.in(coding), (coded) => fill(event, coded));
  }
}

function fill({ request, response }: MvcEvent, { bytes, etag, coding }: EncodedVariant): void {
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
