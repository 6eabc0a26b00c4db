import { HttpException } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** A request with a method that its path does not support (RFC 9110 §15.5.6). */
export class MethodNotAllowedError extends HttpException {
  /** The supported methods, as the header `Allow` lists them. */
  readonly allow: string;

  /** @param methods the methods of the routes; `GET` includes `HEAD` */
  constructor(methods: string[]) {
    super('Method not allowed', 405);
    this.allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ');
  }
}

/**
 * Returns the middleware that rejects a method that no route of the path has. It runs before the
 * routes, because `/api/edits/:id` also matches `/api/edits/views`.
 * @param findMethods returns the methods of a path; undefined for an unknown path
 */
export function createMethodMiddleware(findMethods: (path: string) => string[] | undefined): RequestHandler {
  return ({ path, method }: Request, _: Response, next: NextFunction) => {
    const methods = findMethods(path);
    const isAllowed = !methods || methods.includes('ALL') || methods.includes(method === 'HEAD' ? 'GET' : method);
    if (isAllowed) next();
    else next(new MethodNotAllowedError(methods));
  };
}
