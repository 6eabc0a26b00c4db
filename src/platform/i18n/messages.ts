import type { en } from './en.js';

/** All sentences of the pages, in one language. */
export type Messages = Translated<typeof en>;

type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };
