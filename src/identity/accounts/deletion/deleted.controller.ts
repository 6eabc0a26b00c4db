import { Get } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import { HtmlController } from '../../../platform/views/html-controller.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { renderDeletedPage } from './deletion.page.js';

/** The page that confirms the deletion of an account. It needs no session. */
@HtmlController('account/deleted')
export class DeletedController {
  @Get()
  @Public('no-token')
  show(@CurrentViewContext() viewContext: ViewContext): View {
    return renderDeletedPage(viewContext);
  }
}
