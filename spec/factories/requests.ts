/** A request that sends a value as JSON. */
export function sendJson(value: unknown, method = 'POST', headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(value), headers: { 'Content-Type': 'application/json', ...headers } };
}

/** The `Authorization` field value of Basic. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The body of an answer, as far as a test looks at it. */
export async function bodyOf(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null) return { ...body };
  throw new TypeError(`The body is no object but ${JSON.stringify(body)}.`);
}
