import { Get, Param } from '@nestjs/common';
import { PageController } from '../../identity/accounts/sessions/page-controller.decorator.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderDocumentPage } from './document.page.js';
import { DocumentsService } from './documents.service.js';

/** The documents, one page each. */
@PageController('docs')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(':name')
  @Public('no-token')
  showDocument(@Param('name') name: string, @CurrentViewContext() viewContext: ViewContext): Promise<View> {
    return this.show(name, viewContext);
  }

  @Get('decisions/:name')
  @Public('no-token')
  showDecision(@Param('name') name: string, @CurrentViewContext() viewContext: ViewContext): Promise<View> {
    return this.show(`decisions/${name}`, viewContext);
  }

  private async show(slug: string, viewContext: ViewContext): Promise<View> {
    const document = await this.documents.find(slug);
    return renderDocumentPage(viewContext, document, await this.documents.listForNavigation());
  }
}
