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

/** The description of the document in itself. */
const REFERENCE_API = describeApi(
  OpenApiController,
  { kind: 'document', tag: 'Reference' },
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
