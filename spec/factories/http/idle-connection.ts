import { Response } from '../../../src/framework';
import { startHandler } from './handler-server';
import { RawConnection } from './raw-connection';

/** A connection to a running server that becomes idle now, which the server closes after its keep-alive timeout. */
export interface IdleConnection {
  readonly closed: boolean;
  stop(): Promise<void>;
}

/** For comparison: what waits for the keep-alive timeout of idle connections ends after this one is closed. */
export async function openIdleConnection(): Promise<IdleConnection> {
  const { origin, stop } = await startHandler(() => new Response(200, 'idle'));
  const client = await RawConnection.open(origin);
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await client.until(/idle$/);
  return {
    get closed() {
      return client.closed;
    },
    stop,
  };
}
