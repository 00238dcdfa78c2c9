import type { Head } from '../configuration-store';
import { toNodeReport, type SeenNode } from '../node-report';
import type { Row } from './postgres-link';

/** The columns of the table `head` that {@link toHead} reads. */
export const HEAD = 'format, number, hash, CASE WHEN until > clock_timestamp() THEN proposal END AS proposal';

/** Converts a row with the columns of {@link HEAD}. */
export function toHead({ format, number, hash, proposal }: Row): Head {
  const open = textOf(proposal);
  return {
    format: Number(format),
    number: Number(number),
    hash: textOf(hash),
    proposal: open === '' ? undefined : open,
  };
}

/** Returns none for a report that cannot be read. */
export function toSeenNode({ content, age }: Row): readonly SeenNode[] {
  const report = toNodeReport(content);
  return report === undefined ? [] : [{ ...report, age: Math.max(0, Number(age)) }];
}

/** Returns an empty text for NULL. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
