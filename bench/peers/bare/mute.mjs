// Not an HTTP server: responds to each packet with the same bytes. Measures the load generator.
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
