import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { APP_OPTIONS, logger, setUp } from './app.setup.js';
import { Settings } from './config/settings.js';
import { type Demo, DemoService } from './demo/demo.service.js';
import { listensAt, welcome } from './demo/welcome.js';
import { ExpressServer } from './http/express-server.js';
import { sentenceOf } from './start-error.js';

/** Creates, configures, listens, and tells where to go. */
async function start(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, new ExpressServer(), APP_OPTIONS);
  const settings = app.get(Settings);
  setUp(app, settings);
  await app.init();
  app.useLogger(logger(settings));
  await app.listen(settings.PORT, settings.HOST);
  const demo = await loadDemo(app.get(DemoService), settings);
  if (settings.production) new Logger('Main').log(listensAt(settings.BASE_URL));
  else process.stdout.write(welcome(settings.BASE_URL, demo));
}

async function loadDemo(demo: DemoService, { DEMO_DATA, production }: Settings): Promise<Demo | undefined> {
  const wanted = DEMO_DATA === 'on' || (DEMO_DATA === 'auto' && !production);
  return wanted ? demo.load() : undefined;
}

try {
  await start();
} catch (error) {
  process.stderr.write(`The service did not start.\n${sentenceOf(error)}\n`);
  process.exit(1);
}
