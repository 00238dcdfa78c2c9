import type { ApplicationEvents } from '../application/events';
import type { EventManager } from '../events/event-manager';
import { Listeners } from '../events/listener-group';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import { negotiateCoding, type ContentCoding } from '../http/content-coding';
import { isNoneMatch } from '../http/entity-tag';
import type { CodedRepresentation } from '../view/representation';
import { priorities } from './lifecycle';
import type { MvcEvent } from './mvc-event';

/** Decisions to remember: there are few different fields among all clients. */
const MOST = 256;
const LONGEST = 256;

/**
 * At `response`, sends what is kept of a representation in the coding that the client likes best, or says that it
 * has not changed.
 */
export class RepresentationListener extends Listeners<ApplicationEvents> {
  readonly #codings = new Map<string, ContentCoding>();

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', (event) => this.#answer(event), priorities.response.representation)];
  }

  #answer(event: MvcEvent): MaybePromise<void> {
    const { representation, status } = event.response;
    if (representation === undefined || status !== 200) return undefined;
    return andThen(representation.in(this.#codingFor(event.request.header('accept-encoding'))), (coded) =>
      fill(event, coded),
    );
  }

  #codingFor(field: string | undefined): ContentCoding {
    if (field === undefined) return 'identity';
    const known = this.#codings.get(field);
    if (known !== undefined) return known;
    const chosen = negotiateCoding(field);
    if (this.#codings.size >= MOST) this.#codings.clear();
    if (field.length <= LONGEST) this.#codings.set(field, chosen);
    return chosen;
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
