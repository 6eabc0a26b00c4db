import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cluster from 'node:cluster';
import { AppModule } from '../../app.module.js';
import { APP_OPTIONS, setUp } from '../../app.setup.js';
import { environmentSettings } from '../../config/environment-settings.js';
import type { Settings } from '../../config/settings.js';
import { type Demo, DemoService } from '../../demo/demo.service.js';
import { listensAt, welcome } from '../../demo/welcome.js';
import { ExpressServer } from '../../http/express-server.js';
import { KeyRotation } from '../../keys/key-rotation.js';
import { RequestLogger } from '../../logger.js';
import { answerAsWorker, offerMetrics, offerMetricsOfWorkers } from '../../metrics-endpoint.js';
import { HourlyChores } from '../../operations/hourly-chores.js';
import { sentenceOf } from '../../start-error.js';
import { isFirst, tellThatItAnswers, Workers } from '../../workers.js';

/** Starts the service as the environment configures it: one process, or a supervisor of several workers. */
export async function runServer(): Promise<void> {
  try {
    const settings = environmentSettings();
    if (settings.WORKERS > 1 && cluster.isPrimary) {
      await offerMetricsOfWorkers(settings);
      new Workers(settings.WORKERS, new RequestLogger(settings)).start();
    } else {
      answerAsWorker();
      await start(settings);
    }
  } catch (error) {
    process.stderr.write(`The service did not start.\n${sentenceOf(error)}\n`);
    process.exit(1);
  }
}

/** Creates, configures, listens, and tells where to go. */
async function start(settings: Settings): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, new ExpressServer(), APP_OPTIONS);
  setUp(app, settings);
  await app.init();
  app.useLogger(new RequestLogger(settings));
  await app.get(KeyRotation).sealAgain();
  await offerMetrics(app, settings);
  await app.listen(settings.PORT, settings.HOST);
  app.get(HourlyChores).start();
  if (isFirst()) await greet(app.get(DemoService), settings);
  tellThatItAnswers();
}

async function greet(demo: DemoService, settings: Settings): Promise<void> {
  const loaded = await loadDemo(demo, settings);
  if (settings.production) new Logger('Main').log(listensAt(settings.BASE_URL));
  else process.stdout.write(welcome(settings.BASE_URL, loaded));
}

async function loadDemo(demo: DemoService, { DEMO_DATA, production }: Settings): Promise<Demo | undefined> {
  const wanted = DEMO_DATA === 'on' || (DEMO_DATA === 'auto' && !production);
  return wanted ? demo.load() : undefined;
}
