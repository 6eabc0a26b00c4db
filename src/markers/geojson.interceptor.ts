import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import { addressOf, nextAddress } from '../http/page-link.js';
import type { Page } from '../http/paging.js';
import type { Location } from './marker.dto.js';

const MEDIA_TYPE = 'application/geo+json';

/** Something with a place, as a list shows it. */
type Placed = { id: string; location: Location };

/** A list of what has places: by itself, or as the items of something else. */
type PlacedList = Partial<Page<Placed>> &
  Pick<Page<Placed>, 'page'> & {
    items?: ({ artwork: Placed } & object)[];
    missing?: string[];
  };

/** Answers a list as GeoJSON (RFC 7946) where `format=geojson` or the header `Accept` asks for it. */
@Injectable()
export class GeoJson implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (!isAskedFor(request)) return next.handle();
    return next.handle().pipe(
      map((list: PlacedList) => {
        response.type(MEDIA_TYPE);
        return this.collectionOf(list, request, response);
      }),
    );
  }

  private collectionOf(list: PlacedList, request: Request, response: Response): object {
    const { nextCursor, numberMatched, numberMatchedIsCapped } = list.page;
    const base = this.settings.BASE_URL;
    const next = nextCursor && nextAddress(base, request, nextCursor);
    if (next) response.set('Link', `<${next}>; rel="next"`);
    const features = featuresOf(list);
    const { bbox } = request.query;
    return {
      type: 'FeatureCollection',
      ...(typeof bbox === 'string' && { bbox: bbox.split(',').map(Number) }),
      features,
      links: [
        { rel: 'self', type: MEDIA_TYPE, href: addressOf(base, request).href },
        ...(next ? [{ rel: 'next', type: MEDIA_TYPE, href: next }] : []),
      ],
      numberReturned: features.length,
      ...(numberMatched !== undefined && { numberMatched, numberMatchedIsCapped }),
      ...(list.missing && { missing: list.missing }),
      timeStamp: new Date().toISOString(),
    };
  }
}

function isAskedFor(request: Request): boolean {
  const { format } = request.query;
  if (format !== undefined) return format === 'geojson';
  return request.accepts(['application/json', MEDIA_TYPE]) === MEDIA_TYPE;
}

function featuresOf({ data, items }: PlacedList): object[] {
  if (data) return data.map((placed) => featureOf(placed, {}));
  return items!.map(({ artwork, ...more }) => featureOf(artwork, more));
}

function featureOf({ id, location, ...properties }: Placed, more: object): object {
  const coordinates = [location.lon, location.lat];
  return { type: 'Feature', id, geometry: { type: 'Point', coordinates }, properties: { ...properties, ...more } };
}
