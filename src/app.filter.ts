import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from './config/settings.js';
import { ApiErrorFilter } from './http/api-error.filter.js';
import { PageErrorFilter } from './views/page-error.filter.js';

/** Answers what went wrong before any controller was found: below `/api/` to an app, everywhere else to a person. */
@Catch()
export class AppFilter implements ExceptionFilter {
  private readonly forApps = new ApiErrorFilter();
  private readonly forPeople: PageErrorFilter;

  constructor(private readonly settings: Settings) {
    this.forPeople = new PageErrorFilter(settings);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const { path } = host.switchToHttp().getRequest<Request>();
    const filter = path.startsWith(`${this.settings.basePath}/api/`) ? this.forApps : this.forPeople;
    filter.catch(error, host);
  }
}
