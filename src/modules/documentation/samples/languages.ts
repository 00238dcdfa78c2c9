import { csharpSample } from './languages/csharp';
import { curlSample } from './languages/curl';
import { goSample } from './languages/go';
import { httpieSample } from './languages/httpie';
import { javaSample } from './languages/java';
import { javascriptSample } from './languages/javascript';
import { phpSample } from './languages/php';
import { powershellSample } from './languages/powershell';
import { pythonSample } from './languages/python';
import { rubySample } from './languages/ruby';
import { singlePart, type SamplePart } from './request-parts';
import type { SampleCall } from './sample-call';

interface LanguageEntry {
  readonly label: string;
  /** @param origin scheme, host and port */
  readonly sampleOf: (call: SampleCall, origin: string) => readonly SamplePart[];
}

/** The languages of samples, by their names in the configuration. */
export const SAMPLE_LANGUAGES = {
  curl: { label: 'curl', sampleOf: (call, origin) => singlePart([curlSample(call, origin)]) },
  javascript: { label: 'JavaScript', sampleOf: javascriptSample },
  python: { label: 'Python', sampleOf: pythonSample },
  httpie: { label: 'HTTPie', sampleOf: (call, origin) => singlePart([httpieSample(call, origin)]) },
  php: { label: 'PHP', sampleOf: phpSample },
  go: { label: 'Go', sampleOf: goSample },
  java: { label: 'Java', sampleOf: javaSample },
  csharp: { label: 'C#', sampleOf: csharpSample },
  ruby: { label: 'Ruby', sampleOf: rubySample },
  powershell: { label: 'PowerShell', sampleOf: powershellSample },
} as const satisfies Readonly<Record<string, LanguageEntry>>;

export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES;
