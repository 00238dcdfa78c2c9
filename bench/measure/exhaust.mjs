// A request whose response is only read to its end: storing a large one would delay the requests of others.
import { connect } from 'node:net';
import { AnswerReader } from './answer-reader.mjs';

/** @param {number} port of 127.0.0.1 @param {string} bytes the request @returns {Promise<number>} the status */
export function exhaust(port, bytes) {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes, 'latin1'));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`No complete response arrived from port ${port}.`)));
    socket.on('data', (part) => {
      if (!reader.take(part)) return;
      resolve(reader.status);
      socket.destroy();
    });
  });
}
