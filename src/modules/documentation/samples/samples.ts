import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { jsonExcerpt } from '../text/excerpt';
import { SAMPLE_LANGUAGES, type SampleLanguage } from './languages';
import { curlSample } from './languages/curl';
import type { SamplePart } from './request-parts';
import { sampleCall } from './sample-call';

/** A sample call of an operation in one language. */
export interface Sample {
  /** For URLs and class names. */
  readonly language: SampleLanguage;
  readonly label: string;
  readonly code: string;
  /** The parts of the code, one per helper, and those around. */
  readonly parts: readonly SamplePart[];
}

/**
 * Returns the sample calls of an operation, with examples for parameters and body, as plain text. None where the
 * example of the body is too long.
 *
 * @param origin scheme, host and port, e.g. `https://api.example.org`
 */
export function docSamples(
  service: Service,
  operation: Operation,
  origin: string,
  languages: readonly SampleLanguage[],
): readonly Sample[] {
  const call = sampleCall(service, operation);
  if (call.body !== undefined && jsonExcerpt(call.body.value) === undefined) return [];
  return languages.map((language) => {
    const { label, sampleOf } = SAMPLE_LANGUAGES[language];
    const parts = sampleOf(call, origin);
    return { language, label, parts, code: parts.map(({ code }) => code).join('\n') };
  });
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
