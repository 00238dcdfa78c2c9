import {
  chosenAdapters,
  defaultFields,
  type MapFields,
} from '../../../../../src/modules/admin/screens/apis/map-form';

const fieldsOf =
  (adapters: readonly string[] | undefined): MapFields =>
  (typed) =>
    defaultFields(
      { adapters: ['basic', 'digest'], tag: '', entries: [{ key: '*', adapters, source: undefined }] },
      typed,
    );

const chosen = (before: readonly string[] | undefined, form: string): unknown =>
  chosenAdapters(fieldsOf(before), new URLSearchParams(form)).get('*');

describe('A form that maps adapters, submitted without JavaScript', () => {
  it('means the adapters that were chosen, where the option was left as it was', () => {
    expect(chosen(undefined, 'mode:*=unset&adapter:*=basic')).toEqual(['basic']);
    expect(chosen([], 'mode:*=none&adapter:*=basic&adapter:*=digest')).toEqual(['basic', 'digest']);
  });

  it('means the option that was chosen, where the adapters were left as they were', () => {
    expect(chosen(['basic'], 'mode:*=unset&adapter:*=basic')).toBeUndefined();
    expect(chosen(['basic'], 'mode:*=none&adapter:*=basic')).toEqual([]);
    expect(chosen(undefined, 'mode:*=none')).toEqual([]);
  });
});
