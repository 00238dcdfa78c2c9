import { Problem, problem, titleOf, toProblem, typeOf, type ProblemOptions } from '../../../src/framework';

describe('A problem', () => {
  it('has the members of RFC 9457, with the title and type of its status', () => {
    expect(new Problem(404, 'Nothing here.').toJSON()).toEqual({
      type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5',
      title: 'Not Found',
      status: 404,
      detail: 'Nothing here.',
    });
  });

  it('adds the id of each request, without modifying the document of a subclass', () => {
    const document = Object.freeze({ status: 404, reason: 'gone' });
    class OwnProblem extends Problem {
      override toJSON(): Record<string, unknown> {
        return document;
      }
    }
    const own = new OwnProblem(404, 'Gone.');
    expect(own.documentFor('a')).toEqual({ ...document, request_id: 'a' });
    expect(own.documentFor('b')).toEqual({ ...document, request_id: 'b' });
    expect(new Problem(401, 'Sign in.').documentFor('a')).not.toHaveProperty('request_id');
  });

  it('of a refused configuration has the lines of its reasons as they are', () => {
    const reasons = ['shop.js: not allowed', '  7 | throw', 'server.port: must be a number'];
    expect(problem('configuration_refused', { reasons }).detail).toBe(
      'The configuration would be invalid: shop.js: not allowed\n  7 | throw\nserver.port: must be a number',
    );
  });

  it('of the error table has a code, and links to the error reference, except for a 401', () => {
    const notFound = problem('route_not_found', { path: '/a' });
    expect(notFound.code).toBe('route_not_found');
    expect(notFound.documentFor('a', '/platform/errors').type).toBe('/platform/errors#route_not_found');
    expect(notFound.documentFor('a').type).toBe('https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5');
    expect(new Problem(409, 'Changed.').documentFor('a', '/platform/errors').type).toContain('rfc9110');
    expect(problem('unauthorized', {}).documentFor('a', '/platform/errors')).toEqual({
      type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2',
      title: 'Unauthorized',
      status: 401,
      detail: 'Unauthorized',
    });
  });

  it('can have its own title and type, and extensions', () => {
    const own = new Problem(409, 'Changed.', {
      title: 'Conflict of revisions',
      type: 'https://example.org/conflict',
      extensions: { revision: 7 },
    });
    expect(own.toJSON()).toEqual({
      type: 'https://example.org/conflict',
      title: 'Conflict of revisions',
      status: 409,
      detail: 'Changed.',
      revision: 7,
    });
  });

  it('keeps its standard members if extensions have the same names', () => {
    const odd = new Problem(400, 'Bad.', {
      extensions: { status: 200, detail: 'fine', title: '', type: '' },
    });
    expect(odd.toJSON()).toMatchObject({ status: 400, detail: 'Bad.', title: 'Bad Request' });
  });

  it('is serialized with type and title first', () => {
    const text = JSON.stringify(new Problem(422, 'Bad.', { extensions: { errors: [] } }));
    expect(text).toMatch(/^\{"type":"[^"]+","title":"Unprocessable Content","status":422,"detail":"Bad\."/);
  });

  it.each([200, 302, 0, 399, 600, 1000, 404.5, NaN, Infinity, '404', undefined])(
    'cannot have the status %p',
    (status) => {
      expect(() => new Problem(status as number, 'The shop is closed.')).toThrow(
        new RangeError(
          `A Problem cannot have the status ${String(status)}. Use an integer from 400 to 599. Its detail: The shop is closed.`,
        ),
      );
    },
  );

  it.each([
    [{ 'Retry-After': '60' }, 'an object'],
    [[{ name: 'Retry-After', value: '60' }], 'an array'],
    [['Retry-After', '60'], 'an array'],
    ['Retry-After: 60', 'the string "Retry-After: 60"'],
  ])('cannot have the fields %p', (fields, found) => {
    const options = { fields } as unknown as ProblemOptions;
    expect(() => new Problem(503, 'The shop is closed.', options)).toThrow(
      new TypeError(
        `The fields of a Problem are ${found}. Use a list of pairs, such as [['Retry-After', '60']]. Its detail: The shop is closed.`,
      ),
    );
  });

  it.each([
    [{ detail: 'The visit has changed.' }, 'an object'],
    [new RangeError('The visit has changed.'), 'an instance of RangeError'],
    [['The visit has changed.'], 'an array'],
    [null, 'null'],
    [42, '42'],
  ])('cannot have the detail %p', (detail, found) => {
    expect(() => new Problem(409, detail as unknown as string)).toThrow(
      new TypeError(
        `The detail of a Problem is ${found}. Use a text, and extensions for other members: new Problem(409, 'The visit has changed.', { extensions: { revision: 7 } }).`,
      ),
    );
  });

  it('may lack a detail, as JavaScript may omit it', () => {
    const undetailed: unknown = Reflect.construct(Problem, [404]);
    expect(JSON.parse(JSON.stringify(undetailed))).toEqual({
      type: typeOf(404),
      title: 'Not Found',
      status: 404,
    });
  });

  it('may have the fields of a Map', () => {
    const fields = new Map([['Retry-After', '60']]) as unknown as NonNullable<ProblemOptions['fields']>;
    expect(() => new Problem(503, 'The shop is closed.', { fields })).not.toThrow();
  });

  it('is an Error, with a stack and a cause', () => {
    const cause = new Error('disk full');
    expect(new Problem(500, 'x', { cause })).toMatchObject({ message: 'x', cause });
    expect(new Problem(500, 'x')).toBeInstanceOf(Error);
  });
});

describe('A thrown value', () => {
  it('is used unchanged if it is a problem', () => {
    const thrown = new Problem(404, 'x');
    expect(toProblem(thrown)).toBe(thrown);
  });

  it.each([[new Error('password=secret')], ['a text'], [undefined], [null], [{ status: 404 }]])(
    'otherwise becomes a 500 that discloses nothing: %p',
    (thrown) => {
      const made = toProblem(thrown);
      expect(made.toJSON()).toEqual({
        type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1',
        title: 'Internal Server Error',
        status: 500,
        detail: 'The server encountered an unexpected condition.',
      });
      expect(made.cause).toBe(thrown);
    },
  );
});

describe('The error table', () => {
  it('creates a problem from an entry and its arguments', () => {
    const made = problem(
      'method_not_allowed',
      { method: 'PUT', allow: 'GET, HEAD' },
      { fields: [['Allow', 'GET, HEAD']] },
    );
    expect(made).toMatchObject({
      status: 405,
      detail: 'PUT is not allowed here. Allowed: GET, HEAD.',
      fields: [['Allow', 'GET, HEAD']],
    });
  });

  it('writes an empty list as "none"', () => {
    expect(problem('not_acceptable', { available: [] }).detail).toMatch(/Available: none\.$/);
  });

  it('discloses nothing about a failed sign-in', () => {
    expect(problem('unauthorized', undefined)).toMatchObject({
      status: 401,
      title: 'Unauthorized',
      detail: 'Unauthorized',
    });
  });
});

describe('Statuses', () => {
  it('have the reason phrase and the section of the RFC', () => {
    expect([titleOf(413), titleOf(204), titleOf(431)]).toEqual([
      'Content Too Large',
      'No Content',
      'Request Header Fields Too Large',
    ]);
    expect(typeOf(431)).toBe('https://www.rfc-editor.org/rfc/rfc6585#section-5');
  });

  it('of the registry of IANA all have one, also those that only authors use', () => {
    const codes = [402, 407, 423, 424, 425, 426, 451, 502, 504, 506, 508, 511];
    expect(codes.map((code) => new Problem(code, '').title)).toEqual([
      'Payment Required',
      'Proxy Authentication Required',
      'Locked',
      'Failed Dependency',
      'Too Early',
      'Upgrade Required',
      'Unavailable For Legal Reasons',
      'Bad Gateway',
      'Gateway Timeout',
      'Variant Also Negotiates',
      'Loop Detected',
      'Network Authentication Required',
    ]);
    expect(codes.map((code) => typeOf(code))).not.toContain('about:blank');
    expect([203, 205, 207, 208, 226].map((code) => titleOf(code))).toEqual([
      'Non-Authoritative Information',
      'Reset Content',
      'Multi-Status',
      'Already Reported',
      'IM Used',
    ]);
  });

  it('that are unknown have the title Error and no type', () => {
    expect([titleOf(418), typeOf(418)]).toEqual(['Error', 'about:blank']);
    expect(titleOf(299)).toBe('OK');
  });
});
