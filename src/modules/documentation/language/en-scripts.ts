import type { Message } from './message';

/** The texts of the scripts of pages in English; the keys are those of all languages. */
export const enScripts = {
  'filter.services': { one: '{count} service', other: '{count} services' },
  'console.body': 'Body',
  'console.bodyFields': 'Body fields',
  'console.alternative': 'Alternative',
  'console.alternativeOf': 'Alternative of {name}',
  'console.responseHeaders': 'Response headers',
  'console.truncated': 'Truncated: only the last million characters are shown.',
  'console.bytes': { one: '{count} byte', other: '{count} bytes' },
  'console.kilobytes': '{count} kB',
  'console.milliseconds': '{count} ms',
  'console.binary': '{size} of {type}',
  'console.unknownType': 'an unknown type',
} satisfies Record<string, Message>;

/** All texts of scripts in a language: a missing or unknown key is a compile error. */
export type ScriptMessages = Readonly<Record<keyof typeof enScripts, Message>>;
