/** The name of the problem's component schema. */
export const PROBLEM = 'Problem';

export const PROBLEM_REFERENCE = { $ref: `#/components/schemas/${PROBLEM}` } as const;

/** A problem (RFC 9457) as a JSON Schema. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem details (RFC 9457). Further members depend on the type.',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Identifies the kind of problem.' },
    title: { type: 'string', description: 'The kind of problem, in words.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status code.' },
    detail: { type: 'string', description: 'This occurrence of the problem.' },
  },
  additionalProperties: true,
} as const;
