// No server of HTTP at all: answers each packet with the same bytes. What is measured with it is the generator.
import { createServer } from 'node:net';
import { thing } from '../../sample/things.mjs';
import { listen } from '../listen.mjs';

const body = JSON.stringify(thing('42'));
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);

listen(
  createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(answer));
  }),
);
