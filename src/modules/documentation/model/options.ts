/** How every address of an API answers `OPTIONS`, in a sentence of Markdown. */
export const OPTIONS_SENTENCE =
  '`OPTIONS` requires no authentication at any path: it responds with 204, and `Allow` lists the methods of the path.';

/** The JSON of `OPTIONS`, which is alike for all operations of a service. */
export interface OptionsJson {
  readonly description: string;
  readonly requires_authorization: false;
  readonly response_status_codes: readonly { readonly code: 204; readonly message: string }[];
}

export const OPTIONS_JSON: OptionsJson = Object.freeze({
  description: OPTIONS_SENTENCE,
  requires_authorization: false,
  response_status_codes: Object.freeze([Object.freeze({ code: 204, message: 'No Content' })]),
});
