// Changes bytes of requests, so that most of them are no longer valid.

const PIECES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\n\n',
    '\0',
    ' ',
    '\t',
    ':',
    ',',
    ';',
    '=',
    '"',
    '%',
    '\x7f',
    '\xff',
    '\x80',
    '\x0b',
  ],
  ...[
    'HTTP/1.1',
    'GET / HTTP/1.1\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 99999999999999999999\r\n',
  ],
  ...[
    'Content-Length: 1, 1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Transfer-Encoding: \x0bchunked\r\n',
  ],
  ...[
    'Host: a\r\n',
    'Host: b\r\n',
    ' folded\r\n',
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '-1\r\n',
    '0x5\r\n',
    '\x16\x03\x01\x02\x00\x01',
  ],
  ...[
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'x'.repeat(20_000),
    `${'X-A: b\r\n'.repeat(500)}`,
    `X: ${'y'.repeat(9_000)}\r\n`,
  ],
];

const MUTATIONS = [
  (random, text, at) => text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1),
  (random, text, at) => text.slice(0, at) + random.pick(PIECES) + text.slice(at),
  (random, text, at) => text.slice(0, at) + text.slice(at + 1 + random.below(20)),
  (random, text, at) => text.slice(0, at) + text.slice(at, at + random.below(60)) + text.slice(at),
  (random, text, at) => text.slice(0, at),
  (random, text) => text.replaceAll('\r\n', random.pick(['\n', '\r', '\r\r\n', '\n\r'])),
  (random, text) => text.replace(': ', random.pick([':', ' : ', ':\t', '', ':\0'])),
  (random, text) => text.replace(' ', random.pick(['  ', '\t', '', '\x0b'])),
  // The end of the request line, and of the header section.
  (random, text) => text.replace('\r\n', `\r\n${random.pick(PIECES)}`),
  (random, text) => text.replace('\r\n\r\n', `\r\n${random.pick(PIECES)}\r\n\r\n`),
  (random, text) =>
    text.replace(
      /Content-Length: \d+/,
      `Content-Length: ${random.pick(['0', '1', '99', '+5', '5 ', '0x5', '1e3'])}`,
    ),
];

/** Changes a request at a few places, most of which are in its head. */
export function mutate(random, text) {
  let changed = text;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const head = changed.indexOf('\r\n\r\n');
    const limit = random.chance(0.8) && head > 0 ? head : changed.length;
    changed = random.pick(MUTATIONS)(random, changed, random.below(limit + 1));
  }
  return changed;
}
