import {
  applyDecorators,
  Controller,
  type NestInterceptor,
  type Type,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { FormBodyInterceptor } from '../http/form-body.interceptor.js';
import { PageResponseInterceptor } from './page-response.interceptor.js';
import { PageErrorFilter } from './page-error.filter.js';

/**
 * Declares a controller of HTML pages: handlers return a View or a Redirect, and take forms.
 * @param bodyInterceptor reads the form of a POST request
 */
export function HtmlController(
  path: string,
  bodyInterceptor: Type<NestInterceptor> = FormBodyInterceptor,
): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseInterceptors(PageResponseInterceptor, bodyInterceptor),
    UseFilters(PageErrorFilter),
  );
}
