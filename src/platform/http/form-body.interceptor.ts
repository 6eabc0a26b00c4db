import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { readBodyText, UnreadableBodyError } from './body-reader.js';

/** Reads the form that a page posts: `@Body() form: URLSearchParams`, each field as often as it was sent. */
@Injectable()
export class FormBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.method === 'POST') request.body = await readForm(request, http.getResponse());
    return next.handle();
  }
}

async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  const text = await readBodyText(request, response);
  if (text !== '' && !request.is('urlencoded')) throw new UnreadableBodyError(415);
  return new URLSearchParams(text);
}
