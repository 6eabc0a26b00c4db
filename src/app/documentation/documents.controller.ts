import { Controller, Get, Header, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { createReadStream } from 'node:fs';
import { PageController } from '../../identity/accounts/sessions/page-controller.decorator.js';
import { Settings } from '../../platform/config/settings.js';
import { MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import { RenderedViews, type View } from '../../platform/views/view.js';
import { DOCUMENT_GROUPS, DOCUMENTS_ROOT, IMAGES_FOLDER, listImages } from './document-catalog.js';
import { renderDocumentPage } from './document.page.js';
import { DocumentsService } from './documents.service.js';

/** The documents as Markdown, and their list (llmstxt.org), for programs that read them. */
@Controller()
export class MarkdownController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly settings: Settings,
  ) {}

  @Get('llms.txt')
  @Public('no-token')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  async list(): Promise<string> {
    const documents = await this.documents.list();
    const sections = DOCUMENT_GROUPS.map((group) => {
      const links = documents
        .filter((document) => document.group === group)
        .map(({ title, slug }) => `- [${title}](${this.settings.BASE_URL}/docs/${slug}.md)`);
      return `## ${MESSAGES_BY_LANGUAGE.en.documentation[group]}\n\n${links.join('\n')}\n`;
    });
    return `# Street art map\n\n${sections.join('\n')}`;
  }

  @Get('docs/:name.md')
  @Public('no-token')
  @Header('Content-Type', 'text/markdown; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getDocument(@Param('name') name: string): Promise<string> {
    return this.getMarkdown(name);
  }

  @Get('docs/decisions/:name.md')
  @Public('no-token')
  @Header('Content-Type', 'text/markdown; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getDecision(@Param('name') name: string): Promise<string> {
    return this.getMarkdown(`decisions/${name}`);
  }

  private async getMarkdown(slug: string): Promise<string> {
    const document = await this.documents.find(slug);
    if (!document) throw new NotFoundException();
    return document.markdown;
  }
}

/** The documents, one page each. */
@PageController('docs')
export class DocumentsController {
  private readonly views = new RenderedViews();

  constructor(private readonly documents: DocumentsService) {}

  @Get(':name')
  showDocument(@Param('name') name: string, @CurrentViewContext() viewContext: ViewContext): Promise<View> {
    return this.show(name, viewContext);
  }

  @Get('decisions/:name')
  showDecision(@Param('name') name: string, @CurrentViewContext() viewContext: ViewContext): Promise<View> {
    return this.show(`decisions/${name}`, viewContext);
  }

  private show(slug: string, viewContext: ViewContext): Promise<View> {
    return this.views.get(`${viewContext.language} ${slug}`, async () => {
      const document = await this.documents.find(slug);
      if (!document) throw new NotFoundException();
      return renderDocumentPage(viewContext, document, await this.documents.list());
    });
  }
}

/** Lets a diagram that is opened as a document use its own style sheet, and nothing else. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** The style sheet and the images of the documents. Caches may store them for an hour. */
@Controller('docs/files')
export class DocumentFilesController {
  @Get('documents.css')
  @Public('no-token')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getStylesheet(): StreamableFile {
    return new StreamableFile(createReadStream(new URL('assets/documents.css', import.meta.url)));
  }

  @Get(':name')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  async getImage(@Param('name') name: string, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    if (!(await listImages()).includes(name)) throw new NotFoundException();
    response.type(name);
    if (name.endsWith('.svg')) response.set('Content-Security-Policy', SVG_POLICY);
    return new StreamableFile(createReadStream(new URL(`${IMAGES_FOLDER}/${name}`, DOCUMENTS_ROOT)));
  }
}
