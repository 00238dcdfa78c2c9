import {
  andThen,
  isCacheable,
  Listeners,
  priorities,
  Problem,
  notAcceptable,
  problem,
  ViewModel,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
} from '../../framework';
import { contentTypeOf } from './content-type';
import { showsHypermedia } from './json-model';
import { readForm } from './multipart/form';
import { FORM, MULTIPART, parseBody } from './parse-body';
import type { NegotiationPolicy } from './policy';
import { roundedNumbers } from './json-text/rounded-numbers';
import { acceptsContentType } from './selector';
import { assertSerializable } from './assert-serializable';

/** A form with files (RFC 7578). */
const FILE_FORM = [MULTIPART];

const URL_ENCODED = [FORM];

/** Returns whether forms are among the accepted types of request bodies. */
export function acceptsForms(contentTypes: readonly string[]): boolean {
  return contentTypes.some((type) => URL_ENCODED.includes(type) || FILE_FORM.includes(type));
}

/**
 * Reads the body and chooses the response format before the handler runs, so that a request that cannot be answered
 * has no side effects. Errors in order of precedence: 400 and 413, 406, 415.
 */
export class NegotiationListeners extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => negotiate(event), priorities.route.negotiation),
      events.attach('dispatch', (event) => createViewModel(event), priorities.dispatch.cast),
      events.attach('response', (event) => addVary(event), priorities.response.fields),
    ];
  }
}

function negotiate(event: MvcEvent): MaybePromise<void> {
  const policy = event.endpoint?.negotiation;
  if (policy === undefined) return undefined;
  if (policy.contentTypes.length === 0 || !event.request.hasBody) {
    if (policy.contentTypes.length > 0) setEmptyForm(event, policy);
    selectFormat(event, policy);
    return;
  }
  const contentType = contentTypeOf(event.request);
  const isSupported = acceptsContentType(policy.contentTypes, contentType);
  if (isSupported) return readBody(event, policy, contentType);
  assertSize(event, policy);
  selectFormat(event, policy);
  throw unsupportedType(event, contentType, policy);
}

/** A form without fields has no bytes and is sent without a body; it parses to an object without members. */
function setEmptyForm(event: MvcEvent, { contentTypes }: NegotiationPolicy): void {
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

/** Compressed bodies are not supported (RFC 9110, 15.5.16). */
function assertNoCoding(coding = 'identity'): void {
  // An empty list names no coding (RFC 9110, 5.6.1).
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  const supported = ['identity'];
  throw problem(
    'unsupported_coding',
    { coding },
    { extensions: { supported }, fields: [['Accept-Encoding', 'identity']] },
  );
}

/** Reads the body, then chooses the response format. */
function readBody(event: MvcEvent, policy: NegotiationPolicy, contentType: string): MaybePromise<void> {
  const { request } = event;
  assertNoCoding(request.header('content-encoding'));
  if (policy.uploads !== undefined && acceptsContentType(FILE_FORM, contentType)) {
    return readForm(event, contentType, policy.uploads, policy.exactNumbers).then((form) => {
      event.body = form;
      event.isForm = true;
      selectFormat(event, policy);
    });
  }
  event.isForm = acceptsContentType(URL_ENCODED, contentType);
  return andThen(request.readBody(policy.bodyLimit), (bytes) => {
    event.body = parseBody(bytes, contentType, {
      depth: policy.bodyDepth,
      members: policy.bodyMembers,
      exactNumbers: policy.exactNumbers,
    });
    // Whether the text of a form is a number depends on its schema.
    if (policy.exactNumbers === true && event.isForm !== true) {
      const rounded = roundedNumbers(bytes);
      if (rounded.length > 0) event.roundedNumbers = rounded;
    }
    selectFormat(event, policy);
  });
}

/** A body of an unsupported type is not read; a 413 or an unsupported coding takes precedence over it. */
function assertSize({ request }: MvcEvent, { bodyLimit: limit }: NegotiationPolicy): void {
  assertNoCoding(request.header('content-encoding'));
  if (Number(request.header('content-length') ?? 0) > limit) throw problem('content_too_large', { limit });
}

function selectFormat(event: MvcEvent, { selector, formatParameter }: NegotiationPolicy): void {
  const { request } = event;
  // Most requests have no query, which then is not parsed.
  const format =
    formatParameter === undefined || request.rawQuery === '' ? null : request.query.get(formatParameter);
  if (format !== null) {
    event.responseFormat = selector.byFormat(format);
    return;
  }
  event.responseFormat = selector.choose(request.header('accept'));
  if (event.responseFormat === undefined) throw notAcceptable(selector.mediaTypes);
}

function unsupportedType(
  { request }: MvcEvent,
  contentType: string,
  { contentTypes: supported }: NegotiationPolicy,
): Problem {
  const types = supported.join(', ');
  // RFC 9110, 15.5.16, and of patches RFC 5789, 2.2.
  const names = request.method === 'PATCH' ? ['Accept', 'Accept-Patch'] : ['Accept'];
  return problem(
    'unsupported_media_type',
    { type: contentType, supported },
    { extensions: { supported }, fields: names.map((name) => [name, types]) },
  );
}

/** A response of a handler's own depends on `Accept` too, and needs `Vary` (RFC 9110, 12.5.5). */
function addVary({ answered, endpoint, problem: failed, responseFormat, response }: MvcEvent): void {
  if (!answered || responseFormat === undefined || failed !== undefined || response.status === 204) return;
  const count = endpoint?.negotiation?.selector.formats.length ?? 0;
  if (count > 1) response.fields.addToList('Vary', 'Accept');
}

/** Wraps the result of the handler in the selected view model. @throws Problem that a listener has set as the result */
function createViewModel(event: MvcEvent): void {
  if (event.result instanceof Problem) throw event.result;
  const policy = event.endpoint?.negotiation;
  if (policy === undefined) return;
  if (policy.selector.formats.length > 1) event.response.fields.addToList('Vary', 'Accept');
  if (event.viewModel instanceof ViewModel || event.responseFormat === undefined) return;
  const { viewModel: Model, mediaType } = event.responseFormat;
  assertSerializable(event.result, event.endpoint?.name ?? event.request.path, Model);
  const result =
    policy.hypermedia !== undefined && showsHypermedia(Model)
      ? policy.hypermedia(event, event.result)
      : event.result;
  const isCached =
    policy.cached === true && isCacheable(Model) && typeof result === 'object' && result !== null;
  event.viewModel = new Model(result, {
    template: typeof policy.template === 'function' ? policy.template(result) : policy.template,
    mediaType,
    cacheScope: isCached ? result : undefined,
  });
}
