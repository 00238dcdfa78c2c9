import { toFieldLines, type InjectedRequest } from '../framework';

/** A request whose body may be a form. */
export interface RequestWithForm extends Omit<InjectedRequest, 'body'> {
  /** A `FormData` is sent as `multipart/form-data`. */
  readonly body?: string | Uint8Array | FormData;
}

/** Encodes a form, as `fetch` does, and sets its `Content-Type`, which names the boundary of its parts. */
export async function encodeForm(request: RequestWithForm, where: string): Promise<InjectedRequest> {
  const { body, ...rest } = request;
  if (!(body instanceof FormData)) return { ...rest, ...(body === undefined ? {} : { body }) };
  const encoded = new Response(body);
  const type = encoded.headers.get('content-type') ?? '';
  const others = toFieldLines(request.headers, where).filter(
    ([name]) => name.toLowerCase() !== 'content-type',
  );
  return {
    ...rest,
    headers: [...others, ['Content-Type', type]],
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}
