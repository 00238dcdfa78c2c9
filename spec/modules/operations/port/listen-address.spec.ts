import { ConfigurationError } from '../../../../src/framework';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { parseListenAddress } from '../../../../src/modules/operations/port/listen-address';

describe('The address of the operations port', () => {
  it.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['off', undefined],
  ])('%s is valid', (text, address) => {
    expect(parseListenAddress(text, () => 'x')).toEqual(address);
  });

  it.each([
    '9464',
    ':9464',
    '::1:9464',
    '127.0.0.1',
    'localhost:http',
    'localhost:65536',
    '[::1',
    'a b:1',
    '',
  ])('"%s" is refused with an example', (text) => {
    const parse = (): unknown => parseListenAddress(text, () => 'local.json:3:5: platform-operations.listen');
    expect(parse).toThrow(ConfigurationError);
    expect(parse).toThrow(
      `local.json:3:5: platform-operations.listen: "${text}" is not an address. Write HOST:PORT`,
    );
  });

  it('is checked as the configuration is, before the port is opened', async () => {
    const local = { 'platform-operations': { listen: 'nonsense' } };
    expect(await startRefusal({ modules: [...HOSTING, 'operations'], local })).toMatch(
      /^config\/autoload\/local\.json:\d+:\d+: platform-operations\.listen: "nonsense" is not an address\./,
    );
  });
});
