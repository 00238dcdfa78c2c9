import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020';
import { UploadedFile } from '../../../../src/modules/content-negotiation';
import { createAjv } from '../../../../src/modules/content-validation/compile/ajv';
import { similarValue } from '../../../factories/database/similar-values';

const schema = { type: 'array', uniqueItems: true };
const unique = createAjv({}).compile(schema);

describe('uniqueItems', () => {
  it('compares values as Ajv does', () => {
    const own = new Ajv2020({ allErrors: true }).compile(schema);
    fc.assert(
      fc.property(fc.array(similarValue, { maxLength: 5 }), (items) => {
        expect(unique(items)).toBe(own(items));
      }),
      { numRuns: 500 },
    );
  });

  it('names two equal items, whose members may have any order', () => {
    expect(unique([{ a: 1, b: [2] }, 'x', { b: [2], a: 1 }])).toBe(false);
    expect(unique.errors).toMatchObject([
      {
        keyword: 'uniqueItems',
        instancePath: '',
        message: 'must NOT have duplicate items (items ## 0 and 2 are identical)',
      },
    ]);
  });

  it('takes no file for another one, which may have the same name and size', () => {
    const described = { name: 'photos', filename: 'image.jpg', type: 'image/jpeg', size: 3 };
    const [one, other] = ['/tmp/1', '/tmp/2'].map((path) => new UploadedFile(described, path));
    expect(unique([one, other])).toBe(true);
    expect(unique([one, one])).toBe(false);
    expect(unique([{ photo: one }, { photo: other }, one, 0, 'file 0'])).toBe(true);
    expect(unique([{ photo: one }, { photo: other }, { photo: one }])).toBe(false);
  });

  it('compares instances of other classes by their members', () => {
    class Money {
      constructor(readonly amount: number) {}
    }
    expect(unique([{ price: new Money(1) }, { price: new Money(2) }])).toBe(true);
    expect(unique([{ price: new Money(1) }, { price: new Money(1) }])).toBe(false);
    expect(unique([new Money(1), new Money(2)])).toBe(true);
    expect(unique([new Money(1), new Money(1)])).toBe(false);
  });

  it('compares no item with each other one', () => {
    const read = jest.fn();
    const items = Array.from({ length: 2000 }, (_, id) =>
      Object.defineProperty({}, 'id', { enumerable: true, get: () => (read(), id) }),
    );
    expect(unique(items)).toBe(true);
    expect(read).toHaveBeenCalledTimes(2000);
  });

  it('applies to lists only, and not if it is false', () => {
    expect(createAjv({}).compile({ uniqueItems: true })('aa')).toBe(true);
    expect(createAjv({}).compile({ uniqueItems: false })([1, 1])).toBe(true);
  });
});
