import { Response } from '../../../../src/framework';
import { ClientAddresses } from '../../../../src/framework/http/proxies/client-addresses';
import { startHandler, type HandlerServer } from '../../../factories/http/handler-server';

let addresses = new ClientAddresses();
let server: HandlerServer;
beforeAll(
  async () =>
    (server = await startHandler(
      ({ message }) =>
        new Response(200, JSON.stringify([addresses.of(message), addresses.isUnknown(message)])),
    )),
);
afterAll(() => server.stop());

const ask = async (
  trusted: readonly string[] | number,
  headers: Record<string, string>,
): Promise<unknown> => {
  addresses = new ClientAddresses(trusted);
  return (await fetch(server.origin, { headers })).json();
};

describe("The client's address", () => {
  it.each([
    ['the peer without forwarding fields', [], {}, ['127.0.0.1', false]],
    ['the peer without trusted proxies', [], { 'X-Forwarded-For': '192.0.2.7' }, ['127.0.0.1', true]],
    [
      'the peer if only others are trusted',
      ['10.0.0.0/8'],
      { 'X-Forwarded-For': '192.0.2.7' },
      ['127.0.0.1', true],
    ],
    [
      'the address from a trusted proxy',
      ['loopback'],
      { 'X-Forwarded-For': '192.0.2.7' },
      ['192.0.2.7', false],
    ],
    [
      'the address from a trusted proxy, not from its client',
      ['127.0.0.0/8'],
      { 'X-Forwarded-For': '127.0.0.1, 192.0.2.7' },
      ['192.0.2.7', false],
    ],
    [
      'the first untrusted address',
      ['loopback', '10.0.0.0/8'],
      { 'X-Forwarded-For': '6.6.6.6, 192.0.2.7, 10.1.2.3' },
      ['192.0.2.7', false],
    ],
    ['without its port', ['loopback'], { 'X-Forwarded-For': '192.0.2.7:4711' }, ['192.0.2.7', false]],
    [
      'without its port, in IPv6',
      ['loopback'],
      { 'X-Forwarded-For': '[2001:db8::7]:4711' },
      ['2001:db8::7', false],
    ],
    [
      'that of the proxy, and unknown, if it forwards no address',
      ['loopback'],
      { 'X-Forwarded-For': 'unknown' },
      ['127.0.0.1', true],
    ],
    [
      'determined by the number of proxies',
      1,
      { 'X-Forwarded-For': '6.6.6.6, 192.0.2.7' },
      ['192.0.2.7', false],
    ],
    [
      'determined by two proxies',
      2,
      { 'X-Forwarded-For': '6.6.6.6, 192.0.2.7, 10.0.0.1' },
      ['192.0.2.7', false],
    ],
    [
      'unknown if a trusted proxy uses another field',
      ['loopback'],
      { Forwarded: 'for=192.0.2.7' },
      ['127.0.0.1', true],
    ],
    ['unknown if an untrusted proxy forwards', [], { Via: '1.1 squid' }, ['127.0.0.1', true]],
  ])('is %s', async (_, trusted, headers, expected) => {
    expect(await ask(trusted, headers as Record<string, string>)).toEqual(expected);
  });

  it.each(['10.0.0.0/33', 'proxy.example', ''])('is not determined by the invalid network %j', (network) => {
    expect(() => new ClientAddresses(['loopback', network])).toThrow(/is not a network\. Use a form such as/);
  });

  it.each(['0.0.0.0/0', '0.0.0.0/0.0.0.0', '::/0'])('is not determined by everyone: %s', (network) => {
    expect(() => new ClientAddresses([network])).toThrow(`"${network}" contains every address, so that`);
  });
});
