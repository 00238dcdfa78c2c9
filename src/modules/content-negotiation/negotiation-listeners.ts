import {
  isCacheable,
  Listeners,
  priorities,
  problem,
  repeatable,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Problem,
} from '../../framework';
import { showsHypermedia } from './json-model';
import { readForm } from './multipart/form';
import { FORM, parseBody } from './parse-body';
import type { NegotiationPolicy } from './policy';
import { takes } from './selector';
import { assertWhole } from './whole-result';

/** A form with files (RFC 7578). */
const MULTIPART = ['multipart/form-data'];

const URL_ENCODED = [FORM];

/** Whether forms are among the types of bodies that are taken. */
export function takesForms(contentTypes: readonly string[]): boolean {
  return contentTypes.some((type) => URL_ENCODED.includes(type) || MULTIPART.includes(type));
}

/**
 * Reads the body, and decides on the representation before the handler runs: a representation that cannot be
 * served never leaves side effects behind. In the order of precedence: 400 and 413, 406, 415.
 */
export class NegotiationListeners extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        repeatable((event) => negotiate(event)),
        priorities.route.negotiation,
      ),
      events.attach(
        'dispatch',
        repeatable((event) => cast(event)),
        priorities.dispatch.cast,
      ),
    ];
  }
}

function negotiate(event: MvcEvent): MaybePromise<void> {
  const policy = event.endpoint?.negotiation;
  if (policy === undefined) return undefined;
  if (policy.contentTypes.length === 0 || !event.request.hasBody) {
    selectRepresentation(event, policy);
    return;
  }
  const contentType = event.request.header('content-type') ?? '';
  const isTaken = takes(policy.contentTypes, contentType);
  if (isTaken) {
    return readBody(event, policy, contentType).then(() => selectRepresentation(event, policy));
  }
  assertSize(event, policy);
  selectRepresentation(event, policy);
  throw notTaken(contentType, policy);
}

/** Bodies are taken as they are: one that is compressed would be read as what it is not (RFC 9110, 15.5.16). */
function assertPlain(coding = 'identity'): void {
  if (coding.toLowerCase() === 'identity') return;
  const supported = ['identity'];
  throw problem(
    'unsupported_coding',
    { coding },
    { extensions: { supported }, fields: [['Accept-Encoding', 'identity']] },
  );
}

/** Reads a body of a type that is taken. */
function readBody(event: MvcEvent, policy: NegotiationPolicy, contentType: string): Promise<void> {
  const { request } = event;
  assertPlain(request.header('content-encoding'));
  if (policy.uploads !== undefined && takes(MULTIPART, contentType)) {
    const { limits, folder } = policy.uploads;
    return readForm(event, contentType, limits, folder).then((form) => {
      event.body = form;
      event.isForm = true;
    });
  }
  event.isForm = takes(URL_ENCODED, contentType);
  return request.read(policy.bodyLimit).then((bytes) => {
    event.body = parseBody(bytes, contentType);
  });
}

/** A body of a type that is not taken is not read; but when it is too large, or compressed, that comes first. */
function assertSize({ request }: MvcEvent, { bodyLimit: limit }: NegotiationPolicy): void {
  assertPlain(request.header('content-encoding'));
  if (Number(request.header('content-length') ?? 0) > limit) throw problem('content_too_large', { limit });
}

function selectRepresentation(event: MvcEvent, { selector, formatParameter }: NegotiationPolicy): void {
  const format = formatParameter === undefined ? null : event.request.query.get(formatParameter);
  if (format !== null) {
    event.representation = selector.ofFormat(format);
    return;
  }
  event.representation = selector.choose(event.request.header('accept'));
  if (event.representation !== undefined) return;
  const available = selector.mediaTypes;
  throw problem('not_acceptable', { available }, { extensions: { available }, fields: [['Vary', 'Accept']] });
}

function notTaken(contentType: string, { contentTypes: supported }: NegotiationPolicy): Problem {
  return problem(
    'unsupported_media_type',
    { type: contentType === '' ? 'unknown' : contentType, supported },
    { extensions: { supported }, fields: [['Accept', supported.join(', ')]] },
  );
}

/** Makes the selected view model of the handler's result. */
function cast(event: MvcEvent): void {
  const policy = event.endpoint?.negotiation;
  if (policy === undefined) return;
  if (policy.selector.representations.length > 1) event.response.fields.addToList('Vary', 'Accept');
  if (event.viewModel instanceof ViewModel || event.representation === undefined) return;
  assertWhole(event.result, event.endpoint?.name ?? event.request.path);
  const { viewModel: Model, mediaType } = event.representation;
  const result =
    policy.hypermedia !== undefined && showsHypermedia(Model)
      ? policy.hypermedia(event, event.result)
      : event.result;
  const kept = policy.cached === true && isCacheable(Model) && typeof result === 'object' && result !== null;
  event.viewModel = new Model(result, {
    template: policy.template,
    mediaType,
    cacheScope: kept ? result : undefined,
  });
}
