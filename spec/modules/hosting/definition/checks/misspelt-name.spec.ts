import { misspeltName } from '../../../../../src/modules/hosting/definition/checks/misspelt-name';

const known = ['type', 'items', 'required', 'properties', 'minLength', 'format', 'readOnly', 'not'];

it.each([
  ['requried', 'required'],
  ['proprties', 'properties'],
  ['propertties', 'properties'],
  ['minLenght', 'minLength'],
  ['minlength', 'minLength'],
  ['readonly', 'readOnly'],
  ['requirec', 'required'],
  ['require', 'required'],
  ['formatt', 'format'],
  ['tpye', 'type'],
  ['itmes', 'items'],
  ['Type', 'type'],
])('The name %s clearly means %s', (name, meant) => {
  expect(misspeltName(name, known)).toBe(meant);
});

it.each([
  ['a plural, which may be meant', 'formats'],
  ['a singular', 'item'],
  ['a short name with another letter', 'note'],
  ['a longer name', 'minLengthMessage'],
  ['two other letters', 'repuiret'],
  ['a name without letters', ''],
  ['a name with "$"', '$type'],
  ['another number', 'format2'],
  ['another first letter', 'normat'],
])('%s has no name that it clearly means', (_, name) => {
  expect(misspeltName(name, known)).toBeUndefined();
});
