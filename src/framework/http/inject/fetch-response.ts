import type { IncomingMessage } from 'node:http';
import { isConnectionField } from './connection-fields';

const BODILESS: readonly number[] = [204, 205, 304];

/**
 * Converts a received message to a `fetch` response, whose body is read from the connection as it is consumed.
 * @param isForwarded whether the response is sent on over another connection, which has such fields of its own
 * @throws RangeError for a status that `fetch` does not allow, such as 999; the connection is closed then
 */
export function toFetchResponse(
  message: IncomingMessage,
  method: string,
  isForwarded = false,
): Promise<Response> {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    return Promise.reject(
      new RangeError(`The response has the status ${status}: a Response of fetch has one from 200 to 599.`),
    );
  }
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (isForwarded && isConnectionField(name)) continue;
    headers.append(name, rawHeaders[at + 1] ?? '');
  }
  const bodiless = method === 'HEAD' || BODILESS.includes(status);
  if (bodiless) message.resume();
  return Promise.resolve(new Response(bodiless ? null : bodyOf(message), { status, headers }));
}

/** Converts the body to a web stream. Canceling it disconnects; a connection that closes early errors it. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = message.iterator();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = (await chunks.next()) as IteratorResult<Buffer, undefined>;
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel() {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
