import type { en } from './en.js';

/** The messages of all pages in one language, with the same keys as the English ones. */
export type Messages = Translated<typeof en>;

type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };
