import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { OpenApiService } from './openapi.service.js';

/** The OpenAPI 3.1 document of the API. */
@Controller('api/openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  @Public('no-token')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  getDocument(): Promise<string> {
    return this.openApi.getDocumentJson(REFERENCE_API);
  }
}

/** The description of the operation that returns the document. */
export const REFERENCE_API = describeApi(
  OpenApiController,
  { kind: 'document', tag: 'Reference' },
  {
    getDocument: {
      operationId: 'getOpenapi',
      summary: 'Get the OpenAPI document',
      description:
        'Returns this document: the description of the API in OpenAPI 3.1. Caches may store it for 5 minutes.',
      response: {
        componentName: 'OpenApiDocument',
        type: 'object',
        description: 'An OpenAPI 3.1 document.',
        required: ['openapi', 'info', 'paths'],
        properties: {
          openapi: { type: 'string', description: 'Version of the OpenAPI Specification.', examples: ['3.1.1'] },
          info: {
            type: 'object',
            description: 'Title, description, version and license of the API.',
            examples: [{ title: 'Street Art Map', version: '1.0.0' }],
          },
          paths: { type: 'object', description: 'Operations, by path and method.', examples: [{}] },
        },
        additionalProperties: true,
      },
    },
  },
);
