import { Validators } from '../../../src/modules/content-validation';
import { growthOf } from '../../factories/measure/cpu-time';

const numbers = { type: 'object', properties: { n: { type: 'array', items: { type: 'integer' } } } };

it('reads a list of numbers of a form in linear time', () => {
  const validate = new Validators().forForm(numbers);
  const growth = growthOf((size) => validate({ n: Array<string>(size).fill('1') }), 1000, 8000);
  expect(growth).toBeLessThan(24);
});

it('names a list of a form with a number that is not an integer', () => {
  const validate = new Validators().forForm(numbers);
  expect(validate({ n: ['1', '9007199254740993'] })).toMatchObject({ errors: [{ pointer: '/n' }] });
  expect(validate({ n: ['1', '2'] })).toEqual({ value: { n: [1, 2] } });
});

it('reports the errors of each value of a long list that may have several types', () => {
  const value = { anyOf: [{ type: 'integer' }, { type: 'boolean' }] };
  const list = { anyOf: [{ type: 'array', items: value }, { type: 'integer' }] };
  const validate = new Validators().forForm({ type: 'object', properties: { n: list } });
  const checked = validate({ n: Array<string>(99_000).fill('x') });
  expect('errors' in checked && checked.errors.length).toBeGreaterThan(0);
});

describe('a form of an intersection', () => {
  const date = { type: ['string', 'null'], format: 'date' };
  const schema = {
    allOf: [
      { type: 'object', properties: { n: { type: 'integer' }, date, both: date } },
      { $ref: '#/$defs/more' },
    ],
    $defs: {
      more: {
        type: 'object',
        properties: { dates: { type: 'array', items: date }, both: { type: ['string', 'null'] } },
      },
    },
  };
  const validate = new Validators().forForm(schema);

  it('is read like that of an object', () => {
    expect(validate({ n: '3', date: '', dates: '' })).toEqual({ value: { n: 3, date: null, dates: [null] } });
    expect(validate({ n: '9007199254740993' })).toMatchObject({
      errors: [{ pointer: '/n', keyword: 'type' }],
    });
  });

  it('has null for an empty field that one part refuses', () => {
    expect(validate({ both: '' })).toEqual({ value: { both: null } });
  });
});

describe('an empty item of a list in a form', () => {
  const date = { type: ['string', 'null'], format: 'date' };
  const properties = {
    dates: { type: 'array', items: date },
    shared: { type: 'array', items: { $ref: '#/$defs/date' } },
    names: { type: 'array', items: { type: ['string', 'null'] } },
    numbers: { type: 'array', items: { type: ['integer', 'null'] } },
    days: { type: 'array', items: { type: 'string', format: 'date' } },
  };
  const schema = { type: 'object', properties, $defs: { date } };
  const validate = new Validators().forForm(schema);

  it.each(['dates', 'shared'])('is null where no text may be empty, in %s', (name) => {
    expect(validate({ [name]: ['', '2020-01-01'] })).toEqual({ value: { [name]: [null, '2020-01-01'] } });
    expect(validate({ [name]: '' })).toEqual({ value: { [name]: [null] } });
    expect(validate({ [name]: ['', 'x'] })).toMatchObject({ errors: [{ pointer: `/${name}/1` }] });
  });

  it('stays empty where a text may be, and is an error where it may not be null', () => {
    expect(validate({ names: ['', 'a'], numbers: ['', '1'], dates: ['', '2020-01-01'] })).toEqual({
      value: { names: ['', 'a'], numbers: [null, 1], dates: [null, '2020-01-01'] },
    });
    expect(validate({ days: ['', '2020-01-01'] })).toMatchObject({ errors: [{ pointer: '/days/0' }] });
  });
});
