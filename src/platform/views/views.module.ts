import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { LanguageController } from './language/language.controller.js';

/** Serves the assets of the pages, and remembers the language that a person chose. */
@Module({ controllers: [AssetsController, LanguageController] })
export class ViewsModule {}
