import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { showToast, useShortcuts } from '#renderer/kit/ui';
import { refreshMe } from '#renderer/session/user';
import { refreshSettings, SECTIONS, type SectionName, type ValuesOf } from './sections.ts';

export interface Draft<Values> {
  /** Saved values with the unsaved changes. */
  readonly values: Values;
  /** Fields that differ from the saved values. */
  readonly changes: Partial<Values>;
  readonly count: number;
  set(change: Partial<Values>): void;
  reset(): void;
  save(): void;
  readonly isSaving: boolean;
  readonly failure: ApiFailure | null;
  /** Returns the problem of a field, found on screen or by the service. */
  faultOf(field: keyof Values & string): string | undefined;
}

const isEqual = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/** Problems of values by field; changes with a problem are not sent. */
export type Problems<Values> = Partial<Record<keyof Values & string, string>>;

interface DraftOptions<Values> {
  /** Confirmation after saving. */
  readonly savedText?: string | undefined;
  readonly problemsOf?: ((values: Values) => Problems<Values>) | undefined;
}

/** Edits a settings object. Only changed fields are sent, and Ctrl+S saves. */
export function useDraft<Name extends SectionName>(
  merchantId: string,
  name: Name,
  saved: ValuesOf<Name>,
  { savedText = t('Saved. Applies from the next payment.'), problemsOf }: DraftOptions<ValuesOf<Name>> = {},
): Draft<ValuesOf<Name>> {
  type Values = ValuesOf<Name>;
  const [edited, setEdited] = useState<Partial<Values>>({});
  const changes = Object.fromEntries(
    Object.entries(edited).filter(([field, value]) => !isEqual(value, saved[field as keyof Values])),
  ) as Partial<Values>;
  const count = Object.keys(changes).length;
  const saving = useMutation({
    mutationFn: (): Promise<unknown> => SECTIONS[name].write(merchantId, changes as object),
    onSuccess: async () => {
      await Promise.all([refreshSettings(), refreshMe()]);
      setEdited({});
      showToast(savedText);
    },
  });
  const problems: Problems<Values> = problemsOf?.({ ...saved, ...changes }) ?? {};
  const save = () => {
    if (count === 0 || saving.isPending) return;
    if (Object.keys(problems).length > 0) document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
    else saving.mutate();
  };
  useShortcuts(t('Settings'), [{ keys: 'Mod+S', label: t('Save changes'), run: save }]);
  return {
    values: { ...saved, ...changes },
    changes,
    count,
    set: (change) => setEdited((before) => ({ ...before, ...change })),
    reset: () => {
      setEdited({});
      saving.reset();
    },
    save,
    isSaving: saving.isPending,
    failure: saving.error,
    faultOf: (field) => problems[field] ?? (saving.error?.field?.split('.')[0] === field ? saving.error.message : undefined),
  };
}
