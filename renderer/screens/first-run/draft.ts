import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';
import { systemTimeZone } from '#renderer/kit/pickers';
import { defaultCurrency } from './environment.ts';

export const STEPS = ['environment', 'business', 'administrator', 'database'] as const;
export type Step = (typeof STEPS)[number];

/** Input of the first run. The password is not included: it stays in its field. */
export interface Draft {
  readonly step: Step;
  readonly environment: 'sandbox' | 'live';
  readonly sampleData: boolean;
  readonly businessName: string;
  readonly currency: string;
  readonly timezone: string;
  readonly email: string;
  readonly database: 'sqlite' | 'postgres';
  readonly databaseUrl: string;
}

interface DraftStore extends Draft {
  change: (part: Partial<Draft>) => void;
}

const DEFAULTS: Draft = {
  step: 'environment',
  environment: 'sandbox',
  sampleData: true,
  businessName: '',
  currency: defaultCurrency(),
  timezone: systemTimeZone(),
  email: '',
  database: 'sqlite',
  databaseUrl: '',
};

/** Stores the input so that a reload continues. A database URL may contain a password and is not stored. */
export const useDraft = createStore<DraftStore>()(
  persist((set) => ({ ...DEFAULTS, change: (part) => set(part) }), {
    name: 'paydesk.first-run',
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ change: _, databaseUrl: __, ...kept }) => kept,
  }),
);

export function forgetDraft(): void {
  useDraft.persist.clearStorage();
}
