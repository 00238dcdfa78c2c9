import { Problem, priorities, Response } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';
import { observedKernel } from '../../factories/kernel';
import { makeMvcEvent } from '../../factories/mvc-event';

describe('The kernel', () => {
  it('triggers route, dispatch, render and response', () => {
    const { kernel, names } = observedKernel();
    synchronous(kernel.handle(makeMvcEvent()));
    expect(names).toEqual(['route', 'dispatch', 'render', 'response']);
  });

  it('creates no promise for synchronous listeners, even with an error', () => {
    const { kernel, events, names } = observedKernel();
    events.attach('dispatch', () => {
      throw new Problem(409, 'Changed.');
    });
    expect(kernel.handle(makeMvcEvent())).toBeUndefined();
    expect(names).toEqual(['route', 'dispatch', 'dispatch.error', 'render', 'response']);
  });

  it('awaits the asynchronous listeners of an event before it triggers the next', async () => {
    const { kernel, events, names } = observedKernel();
    for (const name of ['route', 'dispatch', 'render', 'response'] as const) {
      events.attach(name, async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        names.push(`${name} done`);
      });
    }
    const handled = kernel.handle(makeMvcEvent());
    expect(handled).toBeInstanceOf(Promise);
    await handled;
    expect(names).toEqual([
      'route',
      'route done',
      'dispatch',
      'dispatch done',
      'render',
      'render done',
      'response',
      'response done',
    ]);
  });

  it.each([
    ['route', ['route', 'dispatch.error', 'render', 'response']],
    ['dispatch', ['route', 'dispatch', 'dispatch.error', 'render', 'response']],
    ['render', ['route', 'dispatch', 'render', 'render.error', 'response']],
  ] as const)('handles a Problem that a listener of %s returns as one that it throws', (name, expected) => {
    const { kernel, events, names } = observedKernel();
    const problem = new Problem(409, 'Changed.');
    const later = jest.fn();
    events.attach(name, () => problem, 5);
    events.attach(name, later, 4);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(expected);
    expect(event.problem).toBe(problem);
    expect(later).not.toHaveBeenCalled();
  });

  it('handles a Problem with which the promise of a listener is fulfilled as one that it throws', async () => {
    const { kernel, events, names } = observedKernel();
    const problem = new Problem(409, 'Changed.');
    events.attach('route', () => Promise.resolve(problem));
    const event = makeMvcEvent();
    await kernel.handle(event);
    expect(names).toEqual(['route', 'dispatch.error', 'render', 'response']);
    expect(event.problem).toBe(problem);
  });

  it('handles any error that a listener returns as one that it throws, such as a Problem of another copy', () => {
    const { kernel, events, names, log } = observedKernel();
    const refusal = Object.assign(new Error('Not today.'), { status: 403 });
    events.attach('route', () => refusal);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(['route', 'dispatch.error', 'render', 'response']);
    expect(event.problem).toMatchObject({ status: 500, cause: refusal });
    expect(log.lines).toMatchObject([{ level: 'error', details: { err: refusal } }]);
  });

  it.each([
    ['route', ['route', 'response']],
    ['dispatch', ['route', 'dispatch', 'response']],
    ['render', ['route', 'dispatch', 'render', 'response']],
  ] as const)('jumps to response when a listener of %s returns a Response', (name, expected) => {
    const { kernel, events, names } = observedKernel();
    const result = new Response(204);
    const later = jest.fn();
    events.attach(name, () => result, 5);
    events.attach(name, later, 4);
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(expected);
    expect(event).toMatchObject({ response: result, answered: true });
    expect(later).not.toHaveBeenCalled();
  });

  it('leaves the Response of a listener as it is, for other requests', () => {
    const { kernel, events } = observedKernel();
    const result = new Response(204);
    events.attach('route', () => result);
    events.attach('response', ({ response }) => response.fields.append('X-Client', '1'));
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.response.fields.get('X-Client')).toBe('1');
    expect(result.fields.toList()).toEqual([]);
  });

  it('jumps to response for a promise of a Response', async () => {
    const { kernel, events, names } = observedKernel();
    events.attach('route', () => Promise.resolve(new Response(204)));
    await kernel.handle(makeMvcEvent());
    expect(names).toEqual(['route', 'response']);
  });

  it.each([false, true])(
    'fails if a listener of route stops the event without a response, as nothing has checked access (promised: %s)',
    async (isPromised) => {
      const { kernel, events, names, log } = observedKernel();
      events.attach('route', (event) => {
        event.stopPropagation();
        return isPromised ? Promise.resolve() : undefined;
      });
      const event = makeMvcEvent();
      await kernel.handle(event);
      expect(names).toEqual(['route', 'dispatch.error', 'render', 'response']);
      expect(event.problem?.status).toBe(500);
      expect(log.lines).toMatchObject([
        { details: { err: { message: expect.stringContaining('A listener of route stopped') as string } } },
      ]);
    },
  );

  it.each([
    ['nothing', null, 500],
    ['a body', 'rendered', 200],
  ])('expects a response from a listener that stops render: with %s', (_, body, status) => {
    const { kernel, events } = observedKernel();
    events.attach('render', (event) => {
      event.response.body = body;
      event.stopPropagation();
    });
    events.attach('render.error', () => new Response(500));
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(event.response.status).toBe(status);
  });

  it('sends the Response of a listener that stops the event', () => {
    const { kernel, events, names } = observedKernel();
    events.attach('route', (event) => {
      event.stopPropagation();
      return new Response(204);
    });
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect(names).toEqual(['route', 'response']);
    expect(event.response.status).toBe(204);
  });

  it.each([false, true])(
    'responds if a listener of response stops the event before the response is sent (promised: %s)',
    async (isPromised) => {
      const { kernel, events, log } = observedKernel();
      events.attach('response', (event) => {
        event.stopPropagation();
        return isPromised ? Promise.resolve() : undefined;
      });
      events.attach('response', ({ response, outgoing }) => response.send(outgoing, 'GET'), -10_000);
      const event = makeMvcEvent();
      await kernel.handle(event);
      expect([event.outgoing.statusCode, event.outgoing.writableEnded]).toEqual([500, true]);
      expect(log.lines).toHaveLength(1);
    },
  );

  it('lets a listener stop the event response after the response was sent', () => {
    const { kernel, events, log } = observedKernel();
    events.attach('response', (event) => {
      event.response.send(event.outgoing, 'GET');
      event.stopPropagation();
    });
    const event = makeMvcEvent();
    synchronous(kernel.handle(event));
    expect([event.outgoing.statusCode, log.lines]).toEqual([200, []]);
  });

  it('ignores other results', () => {
    const { kernel, events, names } = observedKernel();
    events.attach('route', () => ({ status: 204 }));
    events.attach('dispatch', () => true);
    synchronous(kernel.handle(makeMvcEvent()));
    expect(names).toEqual(['route', 'dispatch', 'render', 'response']);
  });

  it.each(['route', 'dispatch', 'render'] as const)(
    'fails if a listener of %s returns a Response of fetch',
    async (name) => {
      const { kernel, events, log } = observedKernel();
      events.attach(name, () => Promise.resolve(new globalThis.Response('Closed.', { status: 503 })));
      const event = makeMvcEvent();
      await kernel.handle(event);
      expect(event.problem?.status).toBe(500);
      expect(log.lines[0]?.details).toMatchObject({
        err: { message: expect.stringContaining("import { Response } from 'apidesc-platform'") as string },
      });
    },
  );
});

describe('The priorities', () => {
  it('are those of the documented request lifecycle', () => {
    expect(priorities).toEqual({
      route: {
        match: 1,
        scope: -40,
        endpoint: -45,
        authentication: -50,
        method: -100,
        authorization: -600,
        negotiation: -625,
        validation: -650,
      },
      dispatch: { handler: 1, cast: -10 },
      render: { strategies: 200, view: 1 },
      response: { representation: 200, fields: 100, send: -10_000 },
    });
  });
});
