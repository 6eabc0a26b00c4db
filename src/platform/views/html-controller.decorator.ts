import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { PageResponseInterceptor } from './page-response.interceptor.js';
import { PageErrorFilter } from './page-error.filter.js';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { readForm, readRawForm } from '../http/body-reader.js';
import { Public } from '../http/public.decorator.js';

/**
 * Declares a controller of HTML pages: handlers return a View or a Redirect, take forms, and ignore
 * access tokens.
 * @param bodyInterceptor reads the form of a POST request
 */
export function HtmlController(
  path: string,
  bodyInterceptor: Type<NestInterceptor> = FormBodyInterceptor,
): ClassDecorator {
  return applyDecorators(
    Controller(path),
    Public('no-token'),
    UseInterceptors(PageResponseInterceptor, bodyInterceptor),
    UseFilters(PageErrorFilter),
  );
}

/** Reads the form of a POST request for `@Body() form: URLSearchParams`, after the guards. */
@Injectable()
export class FormBodyInterceptor implements NestInterceptor {
  /** @throws UnreadableBodyError */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.method === 'POST') request.body = await readForm(request, http.getResponse<Response>());
    return next.handle();
  }
}

/** Reads the form of a POST request for `@Body() form: string`, in the encoding of the browser. */
@Injectable()
export class RawFormInterceptor implements NestInterceptor {
  /** @throws UnreadableBodyError */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.method === 'POST') request.body = await readRawForm(request, http.getResponse<Response>());
    return next.handle();
  }
}
