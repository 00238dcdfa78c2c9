import { Validators } from '../../../src/modules/content-validation';
import { growthOf } from '../../factories/cpu-time';

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
