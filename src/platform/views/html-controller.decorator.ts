import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { FormBodyInterceptor } from '../http/form-body.interceptor.js';
import { PageResponseInterceptor } from './page-response.interceptor.js';
import { PageErrorFilter } from './page-error.filter.js';

/** A controller of pages for people: its handlers return a `View` or a `SeeOther`, and take forms. */
export function HtmlController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseInterceptors(PageResponseInterceptor, FormBodyInterceptor),
    UseFilters(PageErrorFilter),
  );
}
