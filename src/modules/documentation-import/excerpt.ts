import { printable } from '../../framework';

/** Characters that a message shows of what a document says in one place. */
const MOST = 200;

/** What somebody else wrote as it can be shown on a console: in one line, of a length that can be read. */
export function excerpt(text: string, most = MOST): string {
  return printable(text.length > most ? `${text.slice(0, most)}…` : text);
}
