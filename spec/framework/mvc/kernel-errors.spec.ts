import { Readable } from 'node:stream';
import { Problem, Response, ViewModel, type MvcEvent } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';
import { observedKernel } from '../../factories/kernel';
import { makeMvcEvent } from '../../factories/mvc-event';

const fail = (message: string) => (): never => {
  throw new Error(message);
};

describe('An error of a listener', () => {
  it.each([
    ['route', ['route', 'dispatch.error', 'render', 'response']],
    ['dispatch', ['route', 'dispatch', 'dispatch.error', 'render', 'response']],
    ['render', ['route', 'dispatch', 'render', 'render.error', 'response']],
  ] as const)('of %s becomes a problem, through the error event', (name, expected) => {
    const { kernel, events, names } = observedKernel();
    const problem = new Problem(409, 'Changed.');
    events.attach(name, () => {
      throw problem;
    });
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(expected);
    expect(event.problem).toBe(problem);
  });

  it('becomes a problem too if it is a rejection', async () => {
    const { kernel, events, names } = observedKernel();
    events.attach('dispatch', () => Promise.reject(new Problem(409, 'Changed.')));
    const event = makeMvcEvent();
    await kernel.handle(event);
    expect(names).toEqual(['route', 'dispatch', 'dispatch.error', 'render', 'response']);
    expect(event.problem?.status).toBe(409);
  });

  it('is logged with method and path if it is unexpected', () => {
    const { kernel, events, log } = observedKernel();
    events.attach('dispatch', fail('no disk'));
    synchronous(kernel.handle(makeMvcEvent('/visits?secret=1', 'POST')));
    expect(log.lines).toEqual([
      {
        level: 'error',
        details: {
          err: expect.objectContaining({ message: 'no disk' }) as unknown,
          request_id: expect.any(String) as unknown,
          trace_id: expect.any(String) as unknown,
          method: 'POST',
          path: '/visits',
        },
        message: 'The request failed.',
      },
    ]);
  });

  it.each([undefined, null])('is logged as what it is if it is %s', (thrown) => {
    const { kernel, events, log } = observedKernel();
    events.attach('dispatch', () => {
      throw thrown as unknown as Error;
    });
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.problem?.status).toBe(500);
    const message = `${String(thrown)} was thrown instead of an error.`;
    expect(log.lines).toMatchObject([{ details: { err: { message } } }]);
  });

  it('is not logged if it is a client error', () => {
    const { kernel, events, log } = observedKernel();
    events.attach('route', () => {
      throw new Problem(404, 'Nothing.');
    });
    synchronous(kernel.handle(makeMvcEvent()));
    expect(log.lines).toEqual([]);
  });

  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });

  it.each([
    ['not logged if it is an abortion', new Error('cancelled', { cause: aborted }), 0],
    ['logged if it is another one', new TypeError('no such member'), 1],
  ])('is %s, for a client that has disconnected', (_, error, lines) => {
    const { kernel, events, log } = observedKernel();
    events.attach('dispatch', () => {
      throw error;
    });
    const event = makeMvcEvent();
    event.outgoing.destroy();
    synchronous(kernel.handle(event));
    expect(log.lines).toHaveLength(lines);
  });

  it('is logged if it is an abortion, for a client that waits', () => {
    const { kernel, events, log } = observedKernel();
    events.attach('dispatch', () => {
      throw aborted;
    });
    synchronous(kernel.handle(makeMvcEvent()));
    expect(log.lines).toHaveLength(1);
  });
});

describe('An error while an error is handled', () => {
  const problemOf = ({ response: { body } }: MvcEvent): unknown =>
    JSON.parse(typeof body === 'string' ? body : 'null');

  it('in dispatch.error results in the bare problem', () => {
    const { kernel, events, names, log } = observedKernel();
    events.attach('dispatch', () => {
      throw new Problem(404, 'Nothing.');
    });
    events.attach('dispatch.error', fail('the page is broken too'));
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(['route', 'dispatch', 'dispatch.error', 'response']);
    expect(event.response.status).toBe(500);
    expect(problemOf(event)).toMatchObject({ status: 500, title: 'Internal Server Error' });
    expect(log.lines).toHaveLength(1);
  });

  it('in render.error results in the bare problem', async () => {
    const { kernel, events } = observedKernel();
    events.attach('render', fail('no template'));
    events.attach('render.error', () => Promise.reject(new Error('nor this')));
    const event = makeMvcEvent();
    await kernel.handle(event);
    expect(event.response.status).toBe(500);
    expect(event.response.fields.get('Content-Type')).toBe('application/problem+json');
  });

  it.each(['dispatch', 'render'] as const)(
    'is not a success if a listener stops the error event of %s: it is the problem',
    (name) => {
      const { kernel, events } = observedKernel();
      events.attach('dispatch', (event) => void (event.viewModel = new ViewModel({})), 5);
      events.attach(name, () => {
        throw new Problem(409, 'Changed.');
      });
      events.attach(`${name}.error`, (event) => event.stopPropagation());
      const event = makeMvcEvent();
      synchronous(kernel.handle(event));
      expect(problemOf(event)).toMatchObject({ status: 409, detail: 'Changed.' });
    },
  );

  it.each([
    ['the problem', undefined, 409, '2'],
    ['one that it has set', new Problem(410, 'Sold.'), 410, null],
  ])(
    'has the status and the fields of %s if a listener stops its event with a view model',
    (_, other, status, age) => {
      const { kernel, events } = observedKernel();
      events.attach('dispatch', ({ response }) => {
        response.fields.set('Location', '/pets/1');
        throw new Problem(409, 'Changed.', { fields: [['Age', '2']] });
      });
      events.attach('dispatch.error', (event) => {
        event.problem = other ?? event.problem;
        event.viewModel = new ViewModel({});
        event.stopPropagation();
      });
      const event = makeMvcEvent();
      synchronous(kernel.handle(event));
      const { fields } = event.response;
      expect([event.response.status, fields.get('Age') ?? null, fields.has('Location')]).toEqual([
        status,
        age,
        false,
      ]);
    },
  );

  it('keeps what a listener changes that stops its event with a view model', () => {
    const { kernel, events } = observedKernel();
    events.attach('dispatch', fail('broken'));
    events.attach('dispatch.error', (event) => {
      event.viewModel = new ViewModel({});
      event.response.status = 503;
      event.stopPropagation();
    });
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.response.status).toBe(503);
  });

  it('can be replaced by a Response from an error event', () => {
    const { kernel, events, names } = observedKernel();
    events.attach('route', fail('broken'));
    events.attach('dispatch.error', () => new Response(302, null, [['Location', '/sorry']]));
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(['route', 'dispatch.error', 'response']);
    expect(event.response.status).toBe(302);
  });

  it('in response, before anything was sent, results in the bare problem', () => {
    const { kernel, events } = observedKernel();
    events.attach('response', fail('no etag'), 5);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.outgoing.statusCode).toBe(500);
    expect(event.outgoing.writableEnded).toBe(true);
  });

  it('closes the stream of a response after the host of a handler has responded', () => {
    const { kernel, events } = observedKernel();
    const stream = Readable.from(['a', 'b']);
    events.attach('route', () => new Response(200, stream));
    events.attach('response', ({ response, outgoing }) => {
      outgoing.writeHead(503);
      response.send(outgoing, 'GET');
    });
    synchronous(kernel.handle(makeMvcEvent()));
    expect(stream.destroyed).toBe(true);
  });

  it.each([
    ['whose head cannot be written', 'a\r\nb', ''],
    ['before which a listener fails', 'a', 'no etag'],
  ])('closes the stream of a response %s', (_, value, message) => {
    const { kernel, events } = observedKernel();
    const stream = Readable.from(['a', 'b']);
    events.attach('route', () => new Response(200, stream, [['X-Name', value]]));
    if (message !== '') events.attach('response', fail(message), 5);
    events.attach('response', ({ response, outgoing }) => response.send(outgoing, 'GET'), -5);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.outgoing.statusCode).toBe(500);
    expect(stream.destroyed).toBe(true);
  });

  it('of a response that cannot be sent has the reason phrase of its own status', () => {
    const { kernel, events } = observedKernel();
    events.attach('response', ({ outgoing }) => void outgoing.writeHead(200, ['X-Split', 'a\r\nb']), 5);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.outgoing.statusCode).toBe(500);
    expect(event.outgoing.statusMessage).toBe('Internal Server Error');
  });

  it('in response, after something was sent, closes the connection', () => {
    const { kernel, events } = observedKernel();
    events.attach('response', ({ outgoing }) => void outgoing.writeHead(200).write('part'), 5);
    events.attach('response', fail('too late'), 4);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.outgoing.destroyed).toBe(true);
  });
});
