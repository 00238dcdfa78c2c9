import type { TSchema } from '@sinclair/typebox';
import type { Endpoint } from '../../framework';
import { cached } from './cache-control';
import { compiled } from './compiled';
import { streamed } from './streamed';
import type { StreamType } from './stream-types';
import { timed } from './timeout';
import type { Tools } from './tools';

/** What an operation says of its answers. */
interface OperationOutput {
  /** Of the operation, for messages and the log. */
  readonly name: string;
  /** Of the answer, or of one item of a stream; null where there is none. */
  readonly response: TSchema | null;
  readonly stream: readonly StreamType[] | undefined;
  /** Seconds between the signs of life of a stream; 0 for none. */
  readonly heartbeat: number;
  /** Seconds until it has to answer; 0 for no limit. */
  readonly timeout: number;
  readonly cacheControl: string | undefined;
}

/**
 * A handler with what the platform does around it: its items go out one by one, its answers are compared with their
 * schema, its time is limited.
 * @throws StartError for a schema that is none, and for what is no value of `Cache-Control`
 */
export function handlerOf(
  act: Endpoint['handler'],
  { name, response, stream, heartbeat, timeout, cacheControl }: OperationOutput,
  { checks, validators }: Pick<Tools, 'checks' | 'validators'>,
): Endpoint['handler'] {
  const validator =
    response === null || checks.isOff ? undefined : compiled(() => validators.asIs(response), name);
  const look = (content: unknown): void => {
    if (validator !== undefined) checks.look(content, validator, name);
  };
  const handler =
    stream === undefined
      ? validator === undefined
        ? act
        : checks.checked(act, validator, name)
      : streamed(act, { name, types: stream, heartbeat, look });
  return cached(timed(handler, timeout, name), cacheControl, name);
}
