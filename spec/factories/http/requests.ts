/** A request that sends a value as JSON. */
export function sendJson(value: unknown, method = 'POST', headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(value), headers: { 'Content-Type': 'application/json', ...headers } };
}

/** The `Authorization` header of Basic. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The body of a response, as far as tests read it. */
export async function bodyOf(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null) return { ...body };
  throw new TypeError(`The body is not an object but ${JSON.stringify(body)}.`);
}

/** The text of a response without its request ID, which is unique. */
export async function textOf(answer: Response): Promise<string> {
  const id = answer.headers.get('x-request-id') ?? 'none';
  return (await answer.text()).replaceAll(id, 'ID');
}

/** The headers of a response that could distinguish it from another. */
export function fieldsOf({ headers }: Response): readonly unknown[] {
  const own = ['date', 'x-request-id', 'content-length'];
  return [...headers].filter(([name]) => !own.includes(name));
}
