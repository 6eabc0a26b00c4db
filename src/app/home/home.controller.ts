import { Get } from '@nestjs/common';
import { PageController } from '../../identity/accounts/sessions/page-controller.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderHomePage } from './home.page.js';

/** The home page. */
@PageController('')
export class HomeController {
  @Get()
  showHome(@CurrentViewContext() viewContext: ViewContext): View {
    return renderHomePage(viewContext);
  }
}
