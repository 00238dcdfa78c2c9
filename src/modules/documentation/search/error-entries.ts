import { STATUS_CODES } from 'node:http';
import { plainText } from './plain-text';
import type { IndexedEntry } from './search-entry';

/** An entry of the error reference: its code and its text, which begins with the status. */
const ENTRY = /^## (\w+)\n+([^]*?)(?=\n## |$(?![^]))/gm;

/**
 * Yields the search entries of the error reference. Its sections without a code are omitted.
 * @param url the URL path of the reference
 */
export function* errorEntries(reference: string, url: string): Generator<IndexedEntry> {
  for (const [, code = '', description = ''] of reference.matchAll(ENTRY)) {
    const [, status = ''] = /^(\d{3})\./.exec(description) ?? [];
    yield {
      kind: 'error',
      title: code,
      within: 'Error reference',
      url: `${url}#${code}`,
      subject: status,
      statuses: `${status} ${STATUS_CODES[status] ?? ''}`.trim(),
      text: plainText(description),
    };
  }
}
