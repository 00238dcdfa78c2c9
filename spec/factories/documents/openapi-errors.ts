import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import officialSchema from '../../fixtures/openapi-3.1/schema.json';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addFormat('media-range', /^[^\s/;]+\/[^\s/;]+(;.*)?$/);
const validate = ajv.compile(officialSchema);

/** How a document differs from the official schema of OpenAPI 3.1. */
export function openapiErrors(document: unknown): readonly unknown[] {
  validate(document);
  return validate.errors ?? [];
}
