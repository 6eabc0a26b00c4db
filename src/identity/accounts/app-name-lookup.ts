import { Injectable } from '@nestjs/common';

/** Returns the name of an app that can sign people in; undefined if there is none with this id. */
type FindAppName = (clientId: string) => Promise<string | undefined>;

/** Finds the app for which a person signs in or up. The clients module registers the search. */
@Injectable()
export class AppNameLookup {
  private findName: FindAppName = () => Promise.resolve(undefined);

  register(findName: FindAppName): void {
    this.findName = findName;
  }

  /** Returns the name of the app, or undefined. */
  async find(clientId: string): Promise<string | undefined> {
    return this.findName(clientId);
  }
}
