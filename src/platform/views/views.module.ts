import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';

/** Serves the assets of the pages. */
@Module({ controllers: [AssetsController] })
export class ViewsModule {}
