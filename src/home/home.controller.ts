import { Get } from '@nestjs/common';
import { PersonPage } from '../accounts/page-person.js';
import { Public } from '../scopes/public.decorator.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { homePage } from './home.page.js';

/** What is at the address itself. */
@PersonPage('')
export class HomeController {
  @Get()
  @Public('no-token')
  home(@PageUi() ui: Ui): View {
    return homePage(ui);
  }
}
