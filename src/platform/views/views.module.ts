import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { ErrorPagesRegistry } from './error-pages.js';
import { LanguageController } from './language.controller.js';

/** Serves the assets and the error pages, and remembers the language that a person chose. */
@Global()
@Module({
  controllers: [AssetsController, LanguageController],
  providers: [ErrorPagesRegistry],
  exports: [ErrorPagesRegistry],
})
export class ViewsModule {}
