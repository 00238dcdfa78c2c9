import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { jsonExcerpt } from '../view-helpers/excerpt';
import { curlSample } from './curl';
import { fetchSample } from './fetch';
import { httpieSample } from './httpie';
import { pythonSample } from './python';
import { sampleCall } from './sample-call';

/** A sample call of an operation in one language. */
export interface Sample {
  /** For URLs and class names. */
  readonly language: 'curl' | 'fetch' | 'python' | 'httpie';
  readonly label: string;
  readonly code: string;
}

/**
 * Returns the sample calls of an operation, with examples for parameters and body, as plain text. None where the
 * example of the body is too long.
 *
 * @param origin scheme, host and port, e.g. `https://api.example.org`
 */
export function docSamples(service: Service, operation: Operation, origin: string): readonly Sample[] {
  const call = sampleCall(service, operation);
  if (call.body !== undefined && jsonExcerpt(call.body.value) === undefined) return [];
  return [
    { language: 'curl', label: 'curl', code: curlSample(call, origin) },
    { language: 'fetch', label: 'fetch', code: fetchSample(call, origin) },
    { language: 'python', label: 'Python', code: pythonSample(call, origin) },
    { language: 'httpie', label: 'HTTPie', code: httpieSample(call, origin) },
  ];
}

/** The default origin of the server. */
const ORIGIN = 'http://localhost:8080';

/**
 * Returns a curl command line that calls an operation, with examples for parameters and body. curl
 * prompts for the password. Plain text, not HTML.
 *
 * @param origin scheme, host and port, e.g. `https://api.example.org`
 */
export function docCurl(service: Service, operation: Operation, origin?: string): string {
  const configured = service.getApi()?.getPublicUrl() ?? '';
  return curlSample(sampleCall(service, operation), origin ?? (configured === '' ? ORIGIN : configured));
}
