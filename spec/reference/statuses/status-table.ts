import { errors, type ErrorCode } from '../../../src/framework';
import { markdownTable } from '../reference-page';
import type { StatusCase, StatusResult } from './status-case';

/** The entry of `docs/errors.md` for an error of the table, or for a status without a name, after the status. */
export interface Explanations {
  readonly codes: ReadonlyMap<string, string>;
  readonly statuses: ReadonlyMap<number, string>;
}

export function explanationsIn(text: string): Explanations {
  return {
    codes: new Map(
      [...text.matchAll(/^## (\w+)\n\n\d+\. (.+)$/gm)].map(([, code = '', explanation = '']) => [
        code,
        explanation,
      ]),
    ),
    statuses: new Map(
      [...text.matchAll(/^- (\d+): (.+)$/gm)].map(([, status, said = '']) => [Number(status), said]),
    ),
  };
}

const HEAD = ['status', 'code', 'request', 'response headers', 'cause and remedy'];

/**
 * The table in Markdown, as Prettier formats it.
 * @throws Error for a response without an entry
 */
export function statusTable(results: readonly StatusResult[], explanations: Explanations): string {
  const rows = [...results]
    .sort((a, b) => a.status - b.status || compare(a.code, b.code))
    .map((one) => [
      String(one.status),
      one.code === undefined ? '' : `[${one.code}](../errors.md#${one.code})`,
      shown(one.statusCase),
      one.fields.map((name) => `\`${name}\``).join(', '),
      meaning(one, explanations),
    ]);
  return markdownTable(HEAD, rows);
}

/** The errors that the run cannot cause, with the reason. */
export function uncoveredList(reasons: Readonly<Record<string, string>>): string {
  return Object.entries(reasons)
    .map(([what, reason]) => `- ${what in errors ? `\`${what}\`` : what}: ${reason}`)
    .join('\n');
}

function meaning(
  { status, code, statusCase: provocation }: StatusResult,
  { codes, statuses }: Explanations,
): string {
  const said = provocation.reader ?? (code === undefined ? statuses.get(status) : codes.get(code));
  if (said !== undefined)
    return (
      said
        .replaceAll('|', '\\|')
        // Links of docs/errors.md, as a file in docs/reference has them.
        .replaceAll(/\]\((?=guides\/|reference\/)/g, '](../')
        .replace(/^./, (first) => first.toUpperCase())
    );
  throw new Error(`Nothing explains ${status} ${code ?? ''}, for ${shown(provocation)}.`);
}

/** A request in readable form. */
function shown({ when, method = 'GET', path, fields = {}, body, shown: instead }: StatusCase): string {
  const rest =
    instead ??
    [...Object.entries(fields).map(shownField), ...(body === undefined ? [] : [`\`${body}\``])].join(', ');
  const request = [`\`${method} ${path}\``, rest].filter((part) => part !== '').join(', ');
  return (when === undefined ? request : `${when}: ${request}`).replaceAll('|', '\\|');
}

/** Names and passwords are shown in plain text. */
function shownField([name, value]: readonly [name: string, value: string]): string {
  const [scheme, encoded = ''] = value.split(' ');
  if (name !== 'Authorization' || scheme !== 'Basic') return `\`${name}: ${value}\``;
  const [user, password] = Buffer.from(encoded, 'base64').toString().split(':');
  return `as \`${user}\` with the password \`${password}\``;
}

function compare(a: ErrorCode | undefined, b: ErrorCode | undefined): number {
  return (a ?? '').localeCompare(b ?? '', 'en');
}
