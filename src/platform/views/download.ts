/**
 * A file as a handler of a page returns it. The browser saves it and does not store it in a cache.
 */
export class Download {
  constructor(
    readonly filename: string,
    readonly contentType: string,
    readonly content: string,
  ) {}
}
