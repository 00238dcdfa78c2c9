import type { ScriptMessages } from './en-scripts';

/** The texts of the scripts of pages in German. */
export const deScripts: ScriptMessages = {
  'filter.services': { one: '{count} Dienst', other: '{count} Dienste' },
  'console.body': 'Körper',
  'console.bodyFields': 'Felder des Körpers',
  'console.alternative': 'Alternative',
  'console.alternativeOf': 'Alternative für {name}',
  'console.responseHeaders': 'Header der Antwort',
  'console.truncated': 'Gekürzt: Nur die letzte Million Zeichen wird angezeigt.',
  'console.bytes': { one: '{count} Byte', other: '{count} Byte' },
  'console.kilobytes': '{count} kB',
  'console.milliseconds': '{count} ms',
  'console.binary': '{size} vom Typ {type}',
  'console.unknownType': 'unbekannt',
};
