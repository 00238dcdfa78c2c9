import type { Service } from '../model/service';
import { listGroupItems } from './list-group';

/** List-group items (HTML) of the media types that a service takes in `Accept` (specification A.4). */
export function docAcceptHeaders(service: Service): string {
  return listGroupItems(service.getRequestAcceptTypes());
}

/** List-group items (HTML) of the media types that a service takes in `Content-Type` (specification A.4). */
export function docContentTypeHeaders(service: Service): string {
  return listGroupItems(service.getRequestContentTypes());
}
