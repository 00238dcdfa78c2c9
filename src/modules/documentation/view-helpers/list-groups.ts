import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { escapeHtml } from '../text/escape';

/** Returns list-group items (HTML) of the media types that a service accepts in `Accept` (specification A.4). */
export function docAcceptHeaders(service: Service): string {
  return listGroupItems(service.getRequestAcceptTypes());
}

/** Returns list-group items (HTML) of the media types that a service accepts in `Content-Type` (specification A.4). */
export function docContentTypeHeaders(service: Service): string {
  return listGroupItems(service.getRequestContentTypes());
}

/** Returns a list group (HTML) of the status codes and reason phrases of an operation (specification A.4). */
export function docStatusCodes(operation: Operation): string {
  const codes = operation.getResponseStatusCodes().map(({ code, message }) => `${code} ${message}`);
  return `<ul class="list-group">\n${listGroupItems(codes)}\n</ul>`;
}

function listGroupItems(texts: readonly string[]): string {
  return texts.map((text) => `<li class="list-group-item">${escapeHtml(text)}</li>`).join('\n');
}
