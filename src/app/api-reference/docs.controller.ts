import { Get } from '@nestjs/common';
import { PageController } from '../../identity/accounts/page-controller.decorator.js';
import { Settings } from '../../platform/config/settings.js';
import { Public } from '../../platform/http/public.decorator.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import { CurrentViewContext } from '../../platform/views/view-context.decorator.js';
import type { View } from '../../platform/views/view.js';
import { renderDocsPage, renderOAuthRedirectPage } from './docs.page.js';

/** Where a developer reads what apps can call, and tries it. */
@PageController('docs')
export class DocsController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @Public('no-token')
  showDocs(@CurrentViewContext() ui: ViewContext): View {
    return renderDocsPage(ui, this.settings.BASE_URL);
  }

  /** Where the window in which the developer allowed their own app comes back to; it hands the code on, and closes. */
  @Get('oauth2-redirect.html')
  @Public('no-token')
  showOAuthRedirect(@CurrentViewContext() ui: ViewContext): View {
    return renderOAuthRedirectPage(ui);
  }
}
