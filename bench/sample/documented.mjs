// The documented services: five operations over an entity of ten fields.

export const documentedCount = Number(process.env.BENCH_SERVICES ?? 20);

const KINDS = ['string', 'integer', 'number', 'boolean', 'string'];

/** The JSON Schema of an entity: its identifier and nine more fields. @param {number} service */
export function entityFields(service) {
  const others = Array.from({ length: 9 }, (_, at) => [
    `field_${at + 1}`,
    { type: KINDS[at % KINDS.length], description: `Field ${at + 1} of service ${service}, in a few words.` },
  ]);
  return {
    type: 'object',
    properties: {
      entity_id: { type: 'string', description: 'Assigned by the server.' },
      ...Object.fromEntries(others),
    },
    required: ['entity_id', 'field_1', 'field_2', 'field_3'],
  };
}

/** An entity of any service. @param {string} id */
export function entity(id) {
  return { entity_id: id, field_1: 'text', field_2: 2, field_3: 3.5, field_4: true };
}

export const operations = {
  list: 'Lists the entities.',
  create: 'Creates an entity.',
  show: 'Returns an entity.',
  replace: 'Replaces an entity.',
  remove: 'Removes an entity.',
};
