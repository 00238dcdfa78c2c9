import type { ApplicationEvents } from '../application/events';
import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import { repeatable } from '../events/repeatable';
import { negotiateCoding } from '../http/content-coding';
import { isNoneMatch } from '../http/entity-tag';
import { Remembered } from '../http/remembered';
import type { CodedRepresentation } from '../view/representation';
import { priorities } from './lifecycle';
import type { MvcEvent } from './mvc-event';

/**
 * At `response`, sends what is kept of a representation in the coding that the client likes best, or says that it
 * has not changed.
 */
export class RepresentationListener extends Listeners<ApplicationEvents> {
  readonly #codings = new Remembered(negotiateCoding);

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'response',
        repeatable((event) => this.#answer(event)),
        priorities.response.representation,
      ),
    ];
  }

  #answer(event: MvcEvent): MaybePromise<void> {
    const { representation, status } = event.response;
    if (representation === undefined || status !== 200) return undefined;
    const wish = event.request.header('accept-encoding');
    const coding = wish === undefined ? 'identity' : this.#codings.of(wish);
    return andThen(representation.in(coding), (coded) => fill(event, coded));
  }
}

function fill({ request, response }: MvcEvent, { bytes, etag, coding }: CodedRepresentation): void {
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
