import { Response } from '../../../../src/framework';
import { ClientAddresses } from '../../../../src/framework/http/server/client-address';
import { startHandler, type HandlerServer } from '../../../factories/handler-server';

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
    ['the peer, where nobody forwards', [], {}, ['127.0.0.1', false]],
    ['the peer, where nobody is trusted', [], { 'X-Forwarded-For': '192.0.2.7' }, ['127.0.0.1', true]],
    [
      'the peer, where others are trusted',
      ['10.0.0.0/8'],
      { 'X-Forwarded-For': '192.0.2.7' },
      ['127.0.0.1', true],
    ],
    ['what a trusted proxy says', ['loopback'], { 'X-Forwarded-For': '192.0.2.7' }, ['192.0.2.7', false]],
    [
      'what a trusted proxy says, not its client',
      ['127.0.0.0/8'],
      { 'X-Forwarded-For': '127.0.0.1, 192.0.2.7' },
      ['192.0.2.7', false],
    ],
    [
      'the first that is not trusted',
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
      'that of the proxy, where it says no address',
      ['loopback'],
      { 'X-Forwarded-For': 'unknown' },
      ['127.0.0.1', false],
    ],
    [
      'told by as many proxies as there are',
      1,
      { 'X-Forwarded-For': '6.6.6.6, 192.0.2.7' },
      ['192.0.2.7', false],
    ],
    ['told by two proxies', 2, { 'X-Forwarded-For': '6.6.6.6, 192.0.2.7, 10.0.0.1' }, ['192.0.2.7', false]],
    [
      'not known, where a trusted proxy says another thing',
      ['loopback'],
      { Forwarded: 'for=192.0.2.7' },
      ['127.0.0.1', true],
    ],
    ['not known, where somebody says that he forwards', [], { Via: '1.1 squid' }, ['127.0.0.1', true]],
  ])('is %s', async (_, trusted, headers, expected) => {
    expect(await ask(trusted, headers as Record<string, string>)).toEqual(expected);
  });

  it.each(['10.0.0.0/33', 'proxy.example', ''])('is not told by %j, which is no network', (network) => {
    expect(() => new ClientAddresses(['loopback', network])).toThrow(/is not a network\. Write one such as/);
  });
});
