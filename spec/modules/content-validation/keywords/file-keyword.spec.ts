import { UploadedFile } from '../../../../src/modules/content-negotiation';
import { fileKeyword } from '../../../../src/modules/content-validation/keywords/file-keyword';

const accepts = (types: readonly string[], type: string): unknown =>
  fileKeyword.validate?.({ types }, new UploadedFile({ name: 'a', filename: 'a', type, size: 1 }, '/tmp/a'));

describe('The types of a file field', () => {
  it.each([
    ['*/*', 'image/png'],
    ['image/*', 'image/png'],
    ['IMAGE/PNG', 'image/png; a=b'],
    ['image/png', 'Image/PNG'],
  ])('%s accept %s', (range, type) => {
    expect(accepts(['text/plain', range], type)).toBe(true);
  });

  it.each([
    ['image/*', 'text/plain'],
    ['image/*', 'images/png'],
    ['image/png', 'image/pngx'],
  ])('%s do not accept %s', (range, type) => {
    expect(accepts([range], type)).toBe(false);
  });
});
