import {
  isCacheable,
  Listeners,
  priorities,
  problem,
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
import { acceptsContentType } from './selector';
import { assertSerializable } from './assert-serializable';

/** A form with files (RFC 7578). */
const MULTIPART = ['multipart/form-data'];

const URL_ENCODED = [FORM];

/** Whether forms are among the types of bodies that are taken. */
export function acceptsForms(contentTypes: readonly string[]): boolean {
  return contentTypes.some((type) => URL_ENCODED.includes(type) || MULTIPART.includes(type));
}

/**
 * Reads the body, and decides on the representation before the handler runs: a representation that cannot be
 * served never leaves side effects behind. In the order of precedence: 400 and 413, 406, 415.
 */
export class NegotiationListeners extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => negotiate(event), priorities.route.negotiation),
      events.attach('dispatch', (event) => cast(event), priorities.dispatch.cast),
      events.attach('response', (event) => vary(event), priorities.response.fields),
    ];
  }
}

function negotiate(event: MvcEvent): MaybePromise<void> {
  const policy = event.endpoint?.negotiation;
  if (policy === undefined) return undefined;
  if (policy.contentTypes.length === 0 || !event.request.hasBody) {
    if (policy.contentTypes.length > 0) takeEmptyForm(event, policy);
    selectRepresentation(event, policy);
    return;
  }
  const contentType = event.request.header('content-type') ?? '';
  const isTaken = acceptsContentType(policy.contentTypes, contentType);
  if (isTaken) {
    return readBody(event, policy, contentType).then(() => selectRepresentation(event, policy));
  }
  assertSize(event, policy);
  selectRepresentation(event, policy);
  throw notTaken(contentType, policy);
}

/** A form without fields has no bytes: it is sent as no body at all, and means an object without members. */
function takeEmptyForm(event: MvcEvent, { contentTypes }: NegotiationPolicy): void {
  const contentType = event.request.header('content-type');
  if (
    contentType === undefined ||
    !acceptsContentType(URL_ENCODED, contentType) ||
    !acceptsContentType(contentTypes, contentType)
  )
    return;
  event.body = {};
  event.isForm = true;
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
  if (policy.uploads !== undefined && acceptsContentType(MULTIPART, contentType)) {
    return readForm(event, contentType, policy.uploads).then((form) => {
      event.body = form;
      event.isForm = true;
    });
  }
  event.isForm = acceptsContentType(URL_ENCODED, contentType);
  return request.read(policy.bodyLimit).then((bytes) => {
    event.body = parseBody(bytes, contentType, policy.bodyDepth);
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
    event.responseFormat = selector.byFormat(format);
    return;
  }
  event.responseFormat = selector.choose(event.request.header('accept'));
  if (event.responseFormat !== undefined) return;
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

/** What a handler made by itself was chosen by `Accept` as well, and says so (RFC 9110, 12.5.5). */
function vary({
  answered,
  endpoint,
  problem: failed,
  responseFormat: representation,
  response,
}: MvcEvent): void {
  if (!answered || representation === undefined || failed !== undefined || response.status === 204) return;
  const count = endpoint?.negotiation?.selector.formats.length ?? 0;
  if (count > 1) response.fields.addToList('Vary', 'Accept');
}

/** Makes the selected view model of the handler's result. */
function cast(event: MvcEvent): void {
  const policy = event.endpoint?.negotiation;
  if (policy === undefined) return;
  if (policy.selector.formats.length > 1) event.response.fields.addToList('Vary', 'Accept');
  if (event.viewModel instanceof ViewModel || event.responseFormat === undefined) return;
  assertSerializable(event.result, event.endpoint?.name ?? event.request.path);
  const { viewModel: Model, mediaType } = event.responseFormat;
  const result =
    policy.hypermedia !== undefined && showsHypermedia(Model)
      ? policy.hypermedia(event, event.result)
      : event.result;
  const kept = policy.cached === true && isCacheable(Model) && typeof result === 'object' && result !== null;
  event.viewModel = new Model(result, {
    template: typeof policy.template === 'function' ? policy.template(result) : policy.template,
    mediaType,
    cacheScope: kept ? result : undefined,
  });
}
