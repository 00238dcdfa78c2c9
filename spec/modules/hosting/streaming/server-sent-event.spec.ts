import { ServerSentEvent } from '../../../../src/platform';

describe('a server-sent event', () => {
  it.each([{ event: 'a\nb' }, { id: 'a\0' }, { retry: 1.5 }, { retry: -1 }, { retry: NaN }])(
    'rejects %j',
    (options) => {
      expect(() => new ServerSentEvent(1, options)).toThrow(TypeError);
    },
  );

  it('keeps its fields', () => {
    const event = new ServerSentEvent({ price: 12 }, { event: 'offer', id: '7', retry: 0 });
    expect(event.data).toEqual({ price: 12 });
    expect(event.options).toEqual({ event: 'offer', id: '7', retry: 0 });
  });
});
