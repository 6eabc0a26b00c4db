import { Controller, Get, Header } from '@nestjs/common';
import { CurrentSession, PageController } from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { AttentionService } from './attention.service.js';
import { renderHomePage } from './home.page.js';
import { MapSummaryService, SUMMARY_LIFETIME_SECONDS } from './map-summary.service.js';
import { PublicAppsService } from './public-apps.service.js';

/** The home page. */
@PageController('')
export class HomeController {
  constructor(
    private readonly map: MapSummaryService,
    private readonly apps: PublicAppsService,
    private readonly attention: AttentionService,
  ) {}

  @Get()
  async showHome(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() session: Session | null,
  ): Promise<View> {
    return renderHomePage(viewContext, {
      map: await this.map.get(),
      apps: await this.apps.list(),
      attention: session && (await this.attention.find(session.account)),
    });
  }
}

/** The pictures of the map. Caches may store them as long as the service does. */
@Controller()
export class MapPictureController {
  constructor(private readonly map: MapSummaryService) {}

  @Get('map.svg')
  @Public('no-token')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', `public, max-age=${SUMMARY_LIFETIME_SECONDS}`)
  async getWide(): Promise<string> {
    return (await this.map.get()).pictures.wide;
  }

  @Get('map-narrow.svg')
  @Public('no-token')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', `public, max-age=${SUMMARY_LIFETIME_SECONDS}`)
  async getNarrow(): Promise<string> {
    return (await this.map.get()).pictures.narrow;
  }
}
