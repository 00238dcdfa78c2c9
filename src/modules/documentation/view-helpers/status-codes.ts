import type { Operation } from '../model/operation';
import { listGroupItems } from './list-group';

/** A list group (HTML) of an operation's expected status codes and reason phrases (specification A.4). */
export function docStatusCodes(operation: Operation): string {
  const codes = operation.getResponseStatusCodes().map(({ code, message }) => `${code} ${message}`);
  return `<ul class="list-group">\n${listGroupItems(codes)}\n</ul>`;
}
