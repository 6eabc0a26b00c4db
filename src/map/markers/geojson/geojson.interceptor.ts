import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../../../platform/config/settings.js';
import { setNextPageLink } from '../../../platform/http/api-request.interceptor.js';
import { RenderedJson } from '../../../platform/http/rendered-json.js';
import { buildRequestUrl, buildNextPageUrl } from '../../../platform/http/request-url.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';
import { parseCsvBoundingBox } from '../../regions/geo.js';
import {
  type Feature,
  type FeatureCollection,
  GEOJSON_MEDIA_TYPE,
  type LocatedItem,
  type PageLink,
  toFeature,
} from './feature-collection.dto.js';

/** A list of located items, or a collection of such items. */
type LocatedList = Partial<Page<LocatedItem | RenderedJson<LocatedItem>>> &
  Pick<Page<LocatedItem>, 'page'> & {
    items?: ({ artwork: LocatedItem } & object)[];
    missing?: string[];
  };

/**
 * Converts a list to GeoJSON (RFC 7946) if the query has `format=geojson`, or the `Accept` header
 * prefers it.
 */
@Injectable()
export class GeoJsonInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (!acceptsGeoJson(request)) return next.handle();
    return next.handle().pipe(
      map((list: LocatedList) => {
        response.type(GEOJSON_MEDIA_TYPE);
        return this.toFeatureCollection(list, request, response);
      }),
    );
  }

  private toFeatureCollection(list: LocatedList, request: Request, response: Response): FeatureCollection {
    const { nextCursor, numberMatched, numberMatchedIsLowerBound } = list.page;
    const base = this.settings.BASE_URL;
    const next = nextCursor && buildNextPageUrl(base, request, nextCursor);
    if (next) setNextPageLink(response, next);
    const features = toFeatures(list);
    const links: PageLink[] = [{ rel: 'self', type: GEOJSON_MEDIA_TYPE, href: buildRequestUrl(base, request).href }];
    if (next) links.push({ rel: 'next', type: GEOJSON_MEDIA_TYPE, href: next });
    const bbox = parseCsvBoundingBox(request.query['bbox']) as number[] | undefined;
    return {
      type: 'FeatureCollection',
      ...this.settings.licenseMembers,
      ...(bbox && { bbox }),
      features,
      links,
      numberReturned: features.length,
      ...(numberMatched !== undefined && { numberMatched, numberMatchedIsLowerBound }),
      ...(list.missing && { missing: list.missing }),
      timeStamp: new Date().toISOString(),
    };
  }
}

function acceptsGeoJson(request: Request): boolean {
  const { format } = request.query;
  if (format !== undefined) return format === 'geojson';
  return request.accepts(['application/json', GEOJSON_MEDIA_TYPE]) === GEOJSON_MEDIA_TYPE;
}

function toFeatures({ data, items }: LocatedList): Feature[] {
  if (data) return data.map((item) => toFeature(item instanceof RenderedJson ? item.parse() : item, {}));
  return items!.map(({ artwork, ...more }) => toFeature(artwork, more));
}
