import { OpenApiController } from '../openapi.controller.js';
import { describeOperations } from './describe-operations.js';

describeOperations(
  OpenApiController,
  { tag: 'Reference' },
  {
    getDocument: {
      operationId: 'getOpenapi',
      summary: 'This document',
      description: 'All that apps can call, by OpenAPI 3.1.',
      response: {
        type: 'object',
        required: ['openapi', 'info', 'paths'],
        properties: {
          openapi: { type: 'string', examples: ['3.1.1'] },
          info: { type: 'object', examples: [{ title: 'Street Art Map', version: '0.1.0' }] },
          paths: { type: 'object', examples: [{}] },
        },
        additionalProperties: true,
      },
    },
  },
);
