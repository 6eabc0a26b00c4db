import { applyDecorators, Controller, Get, Header, StreamableFile } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { Public } from '../http/public.decorator.js';

/** The display font of the headings (SIL Open Font License). */
const DISPLAY_FONT = '@fontsource-variable/bricolage-grotesque';

/** Declares a handler of a file that is the same for every reader. */
function Asset(path: string, contentType: string): MethodDecorator {
  return applyDecorators(
    Get(path),
    Public('no-token'),
    Header('Content-Type', contentType),
    Header('Cache-Control', 'public, max-age=3600'),
  );
}

/** Serves the stylesheet, the scripts, the pictures and the display font of the pages. */
@Controller('assets')
export class AssetsController {
  @Asset('style.css', 'text/css; charset=utf-8')
  getStylesheet(): StreamableFile {
    return streamAsset('style.css');
  }

  @Asset('enhance.js', 'text/javascript; charset=utf-8')
  getEnhanceScript(): StreamableFile {
    return streamAsset('enhance.js');
  }

  @Asset('form-post.js', 'text/javascript; charset=utf-8')
  getFormPostScript(): StreamableFile {
    return streamAsset('form-post.js');
  }

  @Asset('icon.svg', 'image/svg+xml')
  getIcon(): StreamableFile {
    return streamAsset('icon.svg');
  }

  /** The icon for programs that show no SVG, such as mail clients. */
  @Asset('icon.png', 'image/png')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  getBitmapIcon(): StreamableFile {
    return streamAsset('icon.png');
  }

  @Asset('mural.svg', 'image/svg+xml')
  getMural(): StreamableFile {
    return streamAsset('mural.svg');
  }

  /** The picture of a shared link, 1200 × 630. */
  @Asset('preview.png', 'image/png')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  getPreview(): StreamableFile {
    return streamAsset('preview.png');
  }

  @Asset('display.woff2', 'font/woff2')
  getDisplayFont(): StreamableFile {
    return streamPackageFile(`${DISPLAY_FONT}/files/bricolage-grotesque-latin-wght-normal.woff2`);
  }

  @Asset('display-license.txt', 'text/plain; charset=utf-8')
  getDisplayFontLicense(): StreamableFile {
    return streamPackageFile(`${DISPLAY_FONT}/LICENSE`);
  }
}

function streamAsset(name: string): StreamableFile {
  return new StreamableFile(createReadStream(new URL(`assets/${name}`, import.meta.url)));
}

function streamPackageFile(path: string): StreamableFile {
  return new StreamableFile(createReadStream(new URL(import.meta.resolve(path))));
}
