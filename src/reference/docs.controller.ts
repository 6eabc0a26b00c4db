import { Get } from '@nestjs/common';
import { PersonPage } from '../accounts/page-person.js';
import { Settings } from '../config/settings.js';
import { Public } from '../scopes/public.decorator.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { docsPage, returnPage } from './docs.page.js';

/** Where a developer reads what apps can call, and tries it. */
@PersonPage('docs')
export class DocsController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @Public('no-token')
  read(@PageUi() ui: Ui): View {
    return docsPage(ui, this.settings.BASE_URL);
  }

  /** Where the window in which the developer allowed their own app comes back to; it hands the code on, and closes. */
  @Get('oauth2-redirect.html')
  @Public('no-token')
  comeBack(@PageUi() ui: Ui): View {
    return returnPage(ui);
  }
}
