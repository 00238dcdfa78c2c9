import { readBounded } from '../../mvc-auth';

/** Octets of a response: metadata, keys and tokens are much shorter. */
const MAX_BYTES = 1024 * 1024;

type FetchOptions = Omit<RequestInit, 'body' | 'redirect'> & {
  readonly body?: unknown;
  readonly redirect?: 'manual';
};

/**
 * `fetch` that follows no redirect, and reads at most 1 MiB. The signal covers the body, too.
 * @throws Error for a longer response
 */
export async function boundedFetch(url: string, options: FetchOptions): Promise<Response> {
  const { body, ...others } = options;
  // The library sends forms and nothing else.
  const form = body instanceof URLSearchParams || typeof body === 'string' ? { body } : {};
  const response = await fetch(url, { ...others, ...form, redirect: 'manual' });
  const { status, headers } = response;
  const bytes = await readBounded(response, MAX_BYTES);
  // These statuses have no body (Fetch, 2.2.4).
  return new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers });
}
