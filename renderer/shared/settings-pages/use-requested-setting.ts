import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';

/** Focuses the setting that the search was used for, once its form is on the screen. */
export function useRequestedSetting(form: RefObject<HTMLElement | null>): void {
  const { state, key } = useLocation();
  const name = (state as { readonly setting?: unknown } | null)?.setting;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same setting can be requested again.
  useEffect(() => {
    if (typeof name !== 'string') return;
    const titles = [...(form.current?.querySelectorAll<HTMLElement>('label, legend') ?? [])];
    const title = titles.find(({ textContent }) => textContent?.trim() === name);
    const field =
      title instanceof HTMLLabelElement ? title.control : title?.parentElement?.querySelector<HTMLElement>('input, [role=combobox]');
    (field ?? title)?.scrollIntoView({ block: 'center' });
    field?.focus();
  }, [form, name, key]);
}
