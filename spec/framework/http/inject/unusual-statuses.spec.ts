import { Response as Answer, Server } from '../../../../src/framework';
import { FunctionHandler } from '../../../factories/http/handler-server';

describe('A response with a status that fetch does not allow', () => {
  const server = new Server(new FunctionHandler(() => new Answer(999, 'fine')));
  afterAll(() => server.close(3_600));

  it.each([
    ['inject', () => server.inject({ path: '/' })],
    ['fetch', () => server.fetch(new Request('http://localhost/'), '')],
  ])('rejects the promise of %s, and ends the connection', async (_, send) => {
    await expect(send()).rejects.toThrow(RangeError);
  });
});
