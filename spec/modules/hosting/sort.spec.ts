import { assertStandard } from '../../../src/modules/hosting/sort';

describe('the standard order of a collection', () => {
  it.each(['id', '-id', 'id,-name'])('may be %j', (standard) => {
    expect(() => assertStandard(['id', 'name'], standard, 'Shop')).not.toThrow();
  });

  it.each(['zz', '', 'id,id', 'id,-id', 'id,', '+id'])('is not %j', (standard) => {
    expect(() => assertStandard(['id', 'name'], standard, 'Shop')).toThrow(
      `Shop: default_sort is "${standard}". Write names of "sort" (id, name), each once`,
    );
  });
});
