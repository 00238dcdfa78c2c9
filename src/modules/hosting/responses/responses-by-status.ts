import type { TSchema } from '@sinclair/typebox';
import { ConfigurationError } from '../../../framework';
import type { OperationDefinition } from '../definition/operation-definition';

/** Statuses without content (RFC 9110, 15.3.5 and 15.3.6). */
const NO_CONTENT: readonly number[] = [204, 205];

/**
 * Returns the response schemas of additional success statuses.
 * @param successStatus the operation's own success status
 * @param name operation name, for messages
 * @throws ConfigurationError for a status without content, or a duplicate
 */
export function responsesByStatus(
  { status_codes: statuses = [], stream }: OperationDefinition,
  successStatus: number,
  name: string,
): ReadonlyMap<number, TSchema> {
  const schemas = new Map<number, TSchema>();
  for (const { code, response } of statuses) {
    if (response === undefined) continue;
    const where = `${name}: the status ${code} in status_codes has a response`;
    if (code === successStatus) {
      throw new ConfigurationError(
        `${where}, but ${code} is the success status. Write it as the response of the operation.`,
      );
    }
    if (code < 200 || code > 299 || NO_CONTENT.includes(code)) {
      throw new ConfigurationError(
        `${where}. Only success statuses with content may have one; errors are problems. Remove it.`,
      );
    }
    if (stream !== undefined) {
      throw new ConfigurationError(
        `${where}, but the operation has a stream, whose items have one schema. Remove one of them.`,
      );
    }
    if (schemas.has(code)) throw new ConfigurationError(`${where} twice. Remove one of them.`);
    schemas.set(code, response);
  }
  return schemas;
}

const NONE: ReadonlyMap<number, never> = new Map<number, never>();

/** Maps values by status. The many operations that have none share one map. */
export function mapByStatus<T, U>(
  byStatus: ReadonlyMap<number, T>,
  map: (value: T) => U,
): ReadonlyMap<number, U> {
  return byStatus.size === 0
    ? NONE
    : new Map(Array.from(byStatus, ([status, value]) => [status, map(value)]));
}
