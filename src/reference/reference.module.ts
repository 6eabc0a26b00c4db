import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';
import { OpenApi } from './openapi.service.js';

@Module({ controllers: [OpenApiController], providers: [OpenApi], exports: [OpenApi] })
export class ReferenceModule {}
