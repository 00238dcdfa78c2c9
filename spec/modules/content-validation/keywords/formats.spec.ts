import { fullFormats } from 'ajv-formats/dist/formats';
import { formats } from '../../../../src/modules/content-validation';

it('lists every format that the validator supports', () => {
  expect(formats).toEqual(Object.keys(fullFormats).sort());
});
