import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { FormBodyInterceptor } from '../http/form-body.interceptor.js';
import { PageResponseInterceptor } from './page-response.interceptor.js';
import { PageErrorFilter } from './page-error.filter.js';

/** Declares a controller of HTML pages: handlers return a View or a Redirect, and take forms. */
export function HtmlController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseInterceptors(PageResponseInterceptor, FormBodyInterceptor),
    UseFilters(PageErrorFilter),
  );
}
