import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { jsonExcerpt } from '../view-helpers/excerpt';
import { curlSample } from './curl';
import { fetchSample } from './fetch';
import { httpieSample } from './httpie';
import { pythonSample } from './python';
import { sampleCall } from './sample-call';

/** A call of an operation in one language, ready to paste. */
export interface Sample {
  /** For addresses and class names. */
  readonly language: 'curl' | 'fetch' | 'python' | 'httpie';
  readonly label: string;
  readonly code: string;
}

/**
 * The samples of an operation, examples standing in for parameters and body. Plain text, not HTML. None where the
 * example of the body is longer than anybody pastes.
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
