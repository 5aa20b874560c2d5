import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** Encoding of one value in the address. */
export interface Field<Value> {
  /** Parses the parameter; an unknown value counts as missing. */
  read(text: string | null): Value;
  /** Returns the parameter, or undefined to leave it out. */
  write(value: Value): string | undefined;
}

/** One of several options; without a default, undefined if the parameter is missing. */
export function oneOf<const Option extends string>(options: readonly Option[]): Field<Option | undefined>;
export function oneOf<const Word extends string>(words: readonly Word[], defaultOption: NoInfer<Word>): Field<Word>;
export function oneOf<Word extends string>(words: readonly Word[], usual?: Word): Field<Word | undefined> {
  return {
    read: (text) => words.find((option) => option === text) ?? usual,
    write: (word) => (word === usual ? undefined : word),
  };
}

/** Trimmed text; empty if the parameter is missing. */
export const text: Field<string> = {
  read: (found) => found?.trim() ?? '',
  write: (value) => (value.trim() === '' ? undefined : value.trim()),
};

/** Text that matches a pattern; undefined if it does not or is missing. */
export const matching = (pattern: RegExp): Field<string | undefined> => ({
  read: (found) => pattern.exec(found ?? '')?.[0],
  write: (value) => value,
});

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An existing calendar day, YYYY-MM-DD; otherwise undefined. */
export const day: Field<string | undefined> = {
  read: (found) => {
    if (found === null || !DAY.test(found) || Number.isNaN(Date.parse(found))) return undefined;
    return new Date(found).toISOString().slice(0, 10) === found ? found : undefined;
  },
  write: (value) => value,
};

const pageNumber: Field<number> = {
  read: (found) => {
    const page = Number(found ?? '1');
    return Number.isSafeInteger(page) && page > 0 ? page : 1;
  },
  write: (page) => (page > 1 ? String(page) : undefined),
};

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValuesOf<Schema extends Fields> = { readonly [Name in keyof Schema]: Schema[Name] extends Field<infer Value> ? Value : never };
type Paged<Schema extends Fields> = ValuesOf<Schema> & { readonly page: number };

/** State of a screen in its address: values by name and the page of a list. Reload, back and a copied link restore it. */
export interface AddressSchema<Schema extends Fields> {
  read(params: URLSearchParams): Paged<Schema>;
  /** Returns the query of the address with its question mark; missing values and defaults are left out. */
  search(values: Partial<Paged<Schema>>): string;
}

export function addressSchema<Schema extends Fields>(fields: Schema): AddressSchema<Schema> {
  const all: Fields = { ...fields, page: pageNumber };
  return {
    read: (params) => Object.fromEntries(Object.entries(all).map(([name, field]) => [name, field.read(params.get(name))])) as Paged<Schema>,
    search(values) {
      const given = values as Readonly<Record<string, unknown>>;
      const written = Object.entries(all).flatMap(([name, field]) => {
        const value = given[name] === undefined ? undefined : field.write(given[name]);
        return value === undefined ? [] : [[name, value]];
      });
      return written.length === 0 ? '' : `?${new URLSearchParams(written)}`;
    },
  };
}

/** The values of an address, with functions to change them. */
export interface Address<Schema extends Fields> {
  readonly values: Paged<Schema>;
  readonly search: string;
  /** Changes some values and returns to the first page. */
  readonly change: (next: Partial<Paged<Schema>>, navigation?: NavigationOptions) => void;
  /** Sets exactly the given values. */
  readonly go: (values: Partial<Paged<Schema>>, navigation?: NavigationOptions) => void;
}

interface NavigationOptions {
  /** True to replace the history entry, as while typing. */
  readonly replace?: boolean;
}

/** Returns the values of the current address. @param schema The same object at each call. */
export function useAddress<Schema extends Fields>(schema: AddressSchema<Schema>): Address<Schema> {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const values = schema.read(params);
    const go = (next: Partial<Paged<Schema>>, navigation: NavigationOptions = {}) => setParams(schema.search(next), navigation);
    return { values, search: schema.search(values), go, change: (next, navigation) => go({ ...values, page: 1, ...next }, navigation) };
  }, [params, setParams, schema]);
}
