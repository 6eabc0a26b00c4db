import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { readForm } from './body-reader.js';

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
