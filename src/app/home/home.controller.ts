import { Get } from '@nestjs/common';
import { PageController } from '../../identity/accounts/session.guard.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderHomePage } from './home.page.js';

/** What is at the address itself. */
@PageController('')
export class HomeController {
  @Get()
  @Public('no-token')
  showHome(@CurrentViewContext() ui: ViewContext): View {
    return renderHomePage(ui);
  }
}
