/** The reason phrases of error statuses, with the sections that define them: the default `title` and `type` of problems. */
const statuses: ReadonlyMap<number, readonly [title: string, type: string]> = new Map([
  [400, ['Bad Request', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1']],
  [401, ['Unauthorized', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2']],
  [402, ['Payment Required', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.3']],
  [403, ['Forbidden', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.4']],
  [404, ['Not Found', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5']],
  [405, ['Method Not Allowed', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6']],
  [406, ['Not Acceptable', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.7']],
  [407, ['Proxy Authentication Required', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.8']],
  [408, ['Request Timeout', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9']],
  [409, ['Conflict', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.10']],
  [410, ['Gone', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.11']],
  [411, ['Length Required', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.12']],
  [412, ['Precondition Failed', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.13']],
  [413, ['Content Too Large', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14']],
  [414, ['URI Too Long', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.15']],
  [415, ['Unsupported Media Type', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16']],
  [416, ['Range Not Satisfiable', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.17']],
  [417, ['Expectation Failed', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.18']],
  [421, ['Misdirected Request', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20']],
  [422, ['Unprocessable Content', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.21']],
  [423, ['Locked', 'https://www.rfc-editor.org/rfc/rfc4918#section-11.3']],
  [424, ['Failed Dependency', 'https://www.rfc-editor.org/rfc/rfc4918#section-11.4']],
  [425, ['Too Early', 'https://www.rfc-editor.org/rfc/rfc8470#section-5.2']],
  [426, ['Upgrade Required', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.22']],
  [428, ['Precondition Required', 'https://www.rfc-editor.org/rfc/rfc6585#section-3']],
  [429, ['Too Many Requests', 'https://www.rfc-editor.org/rfc/rfc6585#section-4']],
  [431, ['Request Header Fields Too Large', 'https://www.rfc-editor.org/rfc/rfc6585#section-5']],
  [451, ['Unavailable For Legal Reasons', 'https://www.rfc-editor.org/rfc/rfc7725#section-3']],
  [500, ['Internal Server Error', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1']],
  [501, ['Not Implemented', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.2']],
  [502, ['Bad Gateway', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3']],
  [503, ['Service Unavailable', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4']],
  [504, ['Gateway Timeout', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.5']],
  [505, ['HTTP Version Not Supported', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.6']],
  [506, ['Variant Also Negotiates', 'https://www.rfc-editor.org/rfc/rfc2295#section-8.1']],
  [507, ['Insufficient Storage', 'https://www.rfc-editor.org/rfc/rfc4918#section-11.5']],
  [508, ['Loop Detected', 'https://www.rfc-editor.org/rfc/rfc5842#section-7.2']],
  [511, ['Network Authentication Required', 'https://www.rfc-editor.org/rfc/rfc6585#section-6']],
]);

/** Returns the reason phrase of an HTTP status; for an unknown one, that of 200 (RFC 9110, 15) or `Error`. */
export function titleOf(status: number): string {
  return statuses.get(status)?.[0] ?? successes.get(status) ?? (status < 300 ? 'OK' : 'Error');
}

/** Returns the URL of the specification of a status; `about:blank` (RFC 9457, 4.2.1) for an unknown one. */
export function typeOf(status: number): string {
  return statuses.get(status)?.[1] ?? 'about:blank';
}

const successes: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'Non-Authoritative Information'],
  [204, 'No Content'],
  [205, 'Reset Content'],
  [206, 'Partial Content'],
  [207, 'Multi-Status'],
  [208, 'Already Reported'],
  [226, 'IM Used'],
  [304, 'Not Modified'],
]);
