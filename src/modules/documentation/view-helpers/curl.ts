import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { curlSample } from '../samples/curl';
import { sampleCall } from '../samples/sample-call';

/** What a fresh start listens on; a page can't know the address that its reader came by. */
const ORIGIN = 'http://localhost:8080';

/**
 * A command line that calls an operation, ready to paste: examples stand in for parameters and body, and curl
 * asks for the password by itself. Plain text, not HTML.
 *
 * @param origin scheme, host and port, e.g. `https://api.example.org`
 */
export function docCurl(service: Service, operation: Operation, origin: string = ORIGIN): string {
  return curlSample(sampleCall(service, operation), origin);
}
