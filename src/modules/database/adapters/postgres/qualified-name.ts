import type { Dialect } from '../database-adapter';

/** A part of a name: in quotation marks, or without dots. */
const PART = /"((?:[^"]|"")*)"(?:\.|$)|([^.]+)(?:\.|$)/gy;

/** A name as SQL has it, in any case and with any characters. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The name of a table with its schema, as SQL has it: a part with dots is in quotation marks, `sales."orders.2026"`. */
export function qualifiedName(parts: readonly string[]): string {
  return parts.map((part) => (/\.|^"/.test(part) ? quotedName(part) : part)).join('.');
}

/** The name of a table of a database, as SQL has it in any case. Dots separate the schema in PostgreSQL only. */
export function quotedTable(name: string, dialect: Dialect): string {
  return (dialect === 'sqlite' ? [name] : partsOfName(name)).map(quotedName).join('.');
}

/** The parts of a name: `['sales', 'orders.2026']`. */
export function partsOfName(name: string): readonly string[] {
  return [...name.matchAll(PART)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
