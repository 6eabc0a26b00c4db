import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import { OpenApiService } from './openapi.service.js';

/** What apps can call, for programs to read (OpenAPI 3.1). */
@Controller('api/openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  @Public('no-token')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  getDocument(): Promise<string> {
    return this.openApi.getDocumentJson();
  }
}
