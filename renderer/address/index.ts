import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** Encoding of one value in the address. */
export interface Field<Value> {
  /** Reads what the address says; what it does not know is read as if it were not there. */
  read(text: string | null): Value;
  /** Undefined leaves it out. */
  write(value: Value): string | undefined;
}

/** One of a few words; without a usual one, undefined if there is none. */
export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word | undefined>;
export function oneOf<const Word extends string>(words: readonly Word[], usual: NoInfer<Word>): Field<Word>;
export function oneOf<Word extends string>(words: readonly Word[], usual?: Word): Field<Word | undefined> {
  return {
    read: (text) => words.find((word) => word === text) ?? usual,
    write: (word) => (word === usual ? undefined : word),
  };
}

/** Text of any kind, without blanks around it; empty if there is none. */
export const text: Field<string> = {
  read: (found) => found?.trim() ?? '',
  write: (value) => (value.trim() === '' ? undefined : value.trim()),
};

/** Text of one form; undefined if there is none. */
export const matching = (form: RegExp): Field<string | undefined> => ({
  read: (found) => form.exec(found ?? '')?.[0],
  write: (value) => value,
});

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day that the calendar has, YYYY-MM-DD; undefined if there is none. */
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
type ValuesOf<Of extends Fields> = { readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never };
type Paged<Of extends Fields> = ValuesOf<Of> & { readonly page: number };

/** State of a screen that its address keeps, so that reload, back and a copied link restore it: values by name, and the page of a list. */
export interface AddressSchema<Of extends Fields> {
  read(params: URLSearchParams): Paged<Of>;
  /** The query of the address with its question mark; what is not given, or goes without saying, is left out. */
  search(values: Partial<Paged<Of>>): string;
}

export function addressSchema<Of extends Fields>(fields: Of): AddressSchema<Of> {
  const all: Fields = { ...fields, page: pageNumber };
  return {
    read: (params) => Object.fromEntries(Object.entries(all).map(([name, field]) => [name, field.read(params.get(name))])) as Paged<Of>,
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

/** The values of an address, and how to go to others. */
export interface Address<Of extends Fields> {
  readonly values: Paged<Of>;
  readonly search: string;
  /** Changes some values. Another view begins at its first page. */
  readonly change: (next: Partial<Paged<Of>>, how?: How) => void;
  /** Sets the values that are given, and no others. */
  readonly go: (values: Partial<Paged<Of>>, how?: How) => void;
}

interface How {
  /** True to replace the history entry, as while typing. */
  readonly replace?: boolean;
}

/** The values of the present address. @param schema The same object at each call. */
export function useAddress<Of extends Fields>(schema: AddressSchema<Of>): Address<Of> {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const values = schema.read(params);
    const go = (next: Partial<Paged<Of>>, how: How = {}) => setParams(schema.search(next), how);
    return { values, search: schema.search(values), go, change: (next, how) => go({ ...values, page: 1, ...next }, how) };
  }, [params, setParams, schema]);
}
