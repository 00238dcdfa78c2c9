// A single request, for checks before the measurement.
import { connect } from 'node:net';
import { AnswerReader } from './answer-reader.mjs';

/**
 * @param {number} port of 127.0.0.1
 * @param {string} bytes the request
 * @param {string} [from] local address of the connection
 * @returns {Promise<{ status: number, fields: string[], body: Buffer }>} fields as name, value, name, value, …;
 *   the body without its transfer coding
 */
export function ask(port, bytes, from) {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    const parts = [];
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () =>
      socket.write(bytes, 'latin1'),
    );
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`No complete response arrived from port ${port}.`)));
    socket.on('data', (part) => {
      parts.push(part);
      if (!reader.take(part)) return;
      const answer = Buffer.concat(parts);
      const end = answer.indexOf('\r\n\r\n');
      const [, ...lines] = answer.latin1Slice(0, end).split('\r\n');
      const fields = lines.flatMap((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      const body = answer.subarray(end + 4);
      const coding = fieldOf({ fields }, 'transfer-encoding');
      resolve({ status: reader.status, fields, body: coding === undefined ? body : joinChunks(body) });
      socket.destroy();
    });
  });
}

/** The first value of a header, by its name in any letter case. */
export function fieldOf({ fields }, name) {
  const at = fields.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name.toLowerCase());
  return at < 0 ? undefined : fields[at + 1];
}

/** Decodes chunks (RFC 9112, 7.1). @param {Buffer} body */
function joinChunks(body) {
  const chunks = [];
  for (let at = 0; ;) {
    const line = body.indexOf('\r\n', at);
    const size = parseInt(body.latin1Slice(at, line), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
