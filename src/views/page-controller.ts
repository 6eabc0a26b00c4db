import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { FormBody } from '../http/form-body.interceptor.js';
import { PageAnswers } from './page-answers.interceptor.js';
import { PageErrorFilter } from './page-error.filter.js';

/** A controller of pages for people: its handlers return a `View` or a `SeeOther`, and take forms. */
export function PageController(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseInterceptors(PageAnswers, FormBody), UseFilters(PageErrorFilter));
}
