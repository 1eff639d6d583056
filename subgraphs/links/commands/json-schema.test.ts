import { expect, test } from '@jest/globals';
import { linkJsonSchemas } from './json-schema.ts';

test('the bodies as JSON Schemas: required fields, bounds, formats', () => {
  const schemas = linkJsonSchemas();
  expect(schemas.CreateLink).toMatchObject({
    type: 'object',
    required: ['flow', 'referenceId'],
    properties: {
      flow: { enum: ['cip', 'transfer', 'request_money'] },
      referenceId: { minLength: 1, maxLength: 255 },
      expiresInMinutes: { type: 'integer', minimum: 1, maximum: 43_200 },
      userData: {
        properties: {
          name: { required: ['firstName', 'lastName'] },
          idType: { maxLength: 64 },
          dob: { type: 'string', format: 'date' },
          paymentMethod: { type: 'object' },
          idImage: { type: 'string', pattern: '^[dD][aA][tT][aA]:[iI][mM][aA][gG][eE]/' },
        },
      },
      metadata: { type: 'object' },
    },
  });
  expect(schemas.CreateCipTicket).toMatchObject({ required: ['linkId'] });
  expect(schemas.FulfilDataRequest).toMatchObject({ required: ['referenceId', 'userData'] });
  expect(schemas.RaiseDataRequest).toMatchObject({
    required: ['partnerId', 'linkId', 'fields'],
    properties: { fields: { type: 'array', minItems: 1 } },
  });
  expect(schemas.UpdateCip).toMatchObject({
    required: ['status'],
    properties: { status: { enum: ['pending', 'verified', 'failed'] } },
  });
});
