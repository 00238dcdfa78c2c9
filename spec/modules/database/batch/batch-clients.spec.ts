import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientCertificateOf, type Application, type ClientCertificate } from '../../../../src/framework';
import { executeOperation } from '../../../../src/modules/database/batch/execute-operation';
import { TransactionScope } from '../../../../src/modules/database/batch/transaction-scope';

const certificate = { subject: { CN: 'ada' }, validTo: new Date(0) } as unknown as ClientCertificate;

/** Returns the message that the application receives for an operation of a client. */
async function messageOf(client: object): Promise<IncomingMessage> {
  let received: IncomingMessage | undefined;
  const handle = (message: IncomingMessage, outgoing: ServerResponse): void => {
    received = message;
    outgoing.writeHead(204).end();
  };
  const request = { header: () => undefined, address: '198.51.100.7', scheme: 'http', ...client };
  const scope = new TransactionScope(undefined, { isRepeated: true, bound: 'writes' });
  const context = { event: { request }, signal: new AbortController().signal };
  const { status } = await executeOperation(
    { handle } as unknown as Application,
    scope,
    { method: 'GET', path: '/products' },
    context as unknown as Parameters<typeof executeOperation>[3],
  );
  expect(status).toBe(204);
  if (received === undefined) throw new Error('The application received nothing.');
  return received;
}

describe('the client of an operation in a batch', () => {
  it('has the address of the client of the batch', async () => {
    const { socket, headers } = await messageOf({});
    expect(socket.remoteAddress).toBe('198.51.100.7');
    expect('encrypted' in socket).toBe(false);
    expect(headers['x-forwarded-for']).toBeUndefined();
  });

  it('uses TLS, with the certificate of the client of the batch', async () => {
    const message = await messageOf({ scheme: 'https', clientCertificate: certificate });
    expect('encrypted' in message.socket).toBe(true);
    expect(clientCertificateOf(message)).toBe(certificate);
  });

  it('has an unknown address behind a proxy that says none', async () => {
    expect((await messageOf({ isAddressUnknown: true })).headers['x-forwarded-for']).toBe('unknown');
  });
});
