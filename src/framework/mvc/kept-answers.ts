import type { IncomingMessage } from 'node:http';
import type { Event } from '../events/event';
import type { EventManager } from '../events/event-manager';
import { isRepeatable } from '../events/repeatable';
import type { Request } from '../http/request';
import { Response } from '../http/response';
import type { ViewEvents } from '../view/view-event';
import type { RequestEvents } from './kernel';
import { requestEvents } from './lifecycle';
import type { MvcEvent } from './mvc-event';

/** What a client has to say in a request for which an answer may be kept. */
interface Asked {
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** What has to be known of listeners. */
type Listened<M extends Record<keyof M, Event>> = Pick<EventManager<M>, 'every' | 'revision'>;

/** An answer that is given again to whoever asks for the same. */
export interface KeptAnswer extends Asked {
  readonly method: string;
  readonly response: Response;
  /** Where among its fields the request's own id stands; -1 where the answer does not tell it. */
  readonly idAt: number;
  readonly match: MvcEvent['match'];
  readonly methods: MvcEvent['methods'];
  readonly endpoint: MvcEvent['endpoint'];
}

/** Targets, and answers to each, that are kept. */
const TARGETS = 256;
const EACH = 8;

/** Characters of a target, and of what is asked for, beyond which nothing is kept. */
const LONGEST = 512;

/** Bytes of a body, and of all of them, that are kept: large ones take so long to send that nothing would be gained. */
const LARGEST = 131_072;
const MOST = 4_194_304;

/** The events of the view that have a part in an answer. */
const viewEvents = ['renderer', 'response'] as const;

/**
 * Answers that are the same for all who ask the same, so that they need no event the second time. Only those of an
 * endpoint that says so (`Endpoint.isRepeatable`), to requests that name nobody, and only as long as every listener of
 * the request's events and of the view's is `repeatable`: whoever attaches another one is heard from then on.
 */
export class KeptAnswers {
  readonly #events: Listened<RequestEvents>;
  readonly #viewEvents: Listened<ViewEvents>;
  readonly #answers = new Map<string, readonly KeptAnswer[]>();
  #bytes = 0;
  /** For which listeners it is known whether anything may be kept. */
  #revision = -1;
  #mayKeep = false;

  constructor(events: Listened<RequestEvents>, viewEvents: Listened<ViewEvents>) {
    this.#events = events;
    this.#viewEvents = viewEvents;
  }

  /** What is answered to a request without asking anybody. */
  find({ url = '', method = '', rawHeaders }: IncomingMessage): KeptAnswer | undefined {
    const answers = this.#answers.get(url);
    if (answers === undefined) return undefined;
    if (this.#revision !== this.revision) {
      this.#clear();
      return undefined;
    }
    const asked = readAsked(rawHeaders);
    return asked === undefined ? undefined : answers.find((kept) => isTo(kept, method, asked));
  }

  /** Another after a listener has come or gone. */
  get revision(): number {
    return this.#events.revision + this.#viewEvents.revision;
  }

  /**
   * Keeps the answer to a request, if it is one that can be.
   * @param revision when the request came: who has left since may have had a part in the answer
   */
  keep(event: MvcEvent, revision: number): void {
    const { request, response, match, methods, endpoint } = event;
    const { body } = response;
    if (!isConstant(event) || (body !== null && !Buffer.isBuffer(body))) return;
    // A client's id may be the value of another field, too.
    if (revision !== this.revision || request.hasGivenId || !this.#isOpen()) return;
    const asked = readAsked(request.message.rawHeaders);
    const size = body === null ? 0 : body.length;
    if (asked === undefined || size > LARGEST || isLong(request.target, asked)) return;
    const { method, target } = request;
    if (this.#answers.get(target)?.some((kept) => isTo(kept, method, asked)) === true) return;
    const isFull = this.#answers.size >= TARGETS || this.#bytes + size > MOST;
    if (isFull || (this.#answers.get(target)?.length ?? 0) >= EACH) this.#clear();
    const idAt = response.fields.toList().indexOf(request.id);
    // A copy, as what a response was made from may be much more than what was sent.
    const copy = copyOf(response);
    const kept = { ...asked, method, response: copy, idAt, match, methods, endpoint };
    this.#answers.set(target, [...(this.#answers.get(target) ?? []), kept]);
    this.#bytes += size;
  }

  /** Whether all who listen do the same each time. */
  #isOpen(): boolean {
    const revision = this.revision;
    if (this.#revision !== revision) {
      this.#clear();
      this.#revision = revision;
      this.#mayKeep =
        requestEvents.every((name) => this.#events.every(name, isRepeatable)) &&
        viewEvents.every((name) => this.#viewEvents.every(name, isRepeatable));
    }
    return this.#mayKeep;
  }

  #clear(): void {
    this.#answers.clear();
    this.#bytes = 0;
  }
}

/** Puts on the event of a request what was found out the first time, and an answer with its own id. */
export function repeatOn(event: MvcEvent, { response, idAt, match, methods, endpoint }: KeptAnswer): void {
  event.response = copyOf(response, idAt, event.request);
  event.match = match;
  event.methods = methods;
  event.endpoint = endpoint;
  event.answered = true;
}

/** @param request whose id stands in place of the value at `idAt` */
function copyOf({ status, body, fields }: Response, idAt = -1, request?: Request): Response {
  const copy = new Response(status, body);
  const list = fields.toList();
  for (let at = 0; at < list.length; at += 2)
    copy.fields.append(list[at] ?? '', (at + 1 === idAt ? request?.id : list[at + 1]) ?? '');
  return copy;
}

function isConstant({ endpoint, problem, response: { status, fields } }: MvcEvent): boolean {
  if (endpoint?.isRepeatable !== true || problem !== undefined) return false;
  return (status === 200 || status === 304) && !fields.has('Set-Cookie');
}

function isTo(kept: KeptAnswer, method: string, asked: Asked): boolean {
  return (
    kept.ifNoneMatch === asked.ifNoneMatch &&
    kept.acceptEncoding === asked.acceptEncoding &&
    kept.accept === asked.accept &&
    kept.method === method
  );
}

function isLong(target: string, { accept = '', acceptEncoding = '', ifNoneMatch = '' }: Asked): boolean {
  return Math.max(target.length, accept.length, acceptEncoding.length, ifNoneMatch.length) > LONGEST;
}

/** Lengths of the names below: most fields of a request are passed over by theirs. */
const LENGTHS: ReadonlySet<number> = new Set([6, 13, 14, 15, 17]);

/** Undefined for requests that say who asks or have a body, and for those that say something twice. */
function readAsked(raw: readonly string[]): Asked | undefined {
  let accept: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!LENGTHS.has(name.length)) continue;
    switch (name.toLowerCase()) {
      case 'accept':
        if (accept !== undefined) return undefined;
        accept = raw[at + 1];
        break;
      case 'accept-encoding':
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = raw[at + 1];
        break;
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return undefined;
        ifNoneMatch = raw[at + 1];
        break;
      case 'authorization':
      case 'content-length':
      case 'cookie':
      case 'origin':
      case 'transfer-encoding':
        return undefined;
    }
  }
  return { accept, acceptEncoding, ifNoneMatch };
}
