import { Controller, Get, Header, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { createReadStream } from 'node:fs';
import { PageController } from '../../identity/accounts/sessions/page-controller.decorator.js';
import { Public } from '../../platform/http/public.decorator.js';
import { SearchParams } from '../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import { RenderedViews, type View } from '../../platform/views/view.js';
import { DocumentsService } from '../documentation/documents.service.js';
import { DocsSearchService } from './docs-search.service.js';
import { REFERENCE_API } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';
import { renderDocsPage, renderOAuthRedirectPage } from './page/docs.page.js';
import { renderSearchPage } from './page/search.js';

/** The page on which developers read the API reference and try operations. */
@PageController('docs')
export class DocsController {
  private readonly views = new RenderedViews();

  constructor(
    private readonly openApi: OpenApiService,
    private readonly documents: DocumentsService,
    private readonly search: DocsSearchService,
  ) {}

  /** Shows the reference or, if the query has the parameter `q`, the results of a search. */
  @Get()
  async showDocs(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() params: URLSearchParams,
  ): Promise<View> {
    const query = params.get('q');
    if (query !== null) {
      const results = await this.search.find(query);
      return renderSearchPage({ viewContext, query, results }, await this.documents.list());
    }
    return this.views.get(viewContext.language, async () => {
      const reference = await this.openApi.getReference(REFERENCE_API);
      return renderDocsPage(viewContext, { ...reference, documents: await this.documents.list() });
    });
  }

  /** The redirect URI of the developer's app: the window passes the response on and closes. */
  @Get('oauth2-redirect.html')
  showOAuthRedirect(@CurrentViewContext() viewContext: ViewContext): View {
    return renderOAuthRedirectPage(viewContext);
  }
}

const ASSETS = ['reference.js', 'reference.css', 'oauth-redirect.js'];

/** The scripts and the style sheet of the API reference. Caches may store them for an hour. */
@Controller('docs/assets')
export class DocsAssetsController {
  @Get(':name')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getAsset(@Param('name') name: string, @Res({ passthrough: true }) response: Response): StreamableFile {
    if (!ASSETS.includes(name)) throw new NotFoundException();
    response.type(name);
    return new StreamableFile(createReadStream(new URL(`assets/${name}`, import.meta.url)));
  }
}
