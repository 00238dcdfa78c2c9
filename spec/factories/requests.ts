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

/** The text of an answer without the name of its request, which no two answers share. */
export async function textOf(answer: Response): Promise<string> {
  const id = answer.headers.get('x-request-id') ?? 'none';
  return (await answer.text()).replaceAll(id, 'ID');
}

/** What of an answer's fields could tell it from another. */
export function fieldsOf({ headers }: Response): readonly unknown[] {
  const own = ['date', 'x-request-id', 'content-length'];
  return [...headers].filter(([name]) => !own.includes(name));
}
