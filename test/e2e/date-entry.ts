import { expect, type Locator, type Page } from '@playwright/test';

/** Names of the parts of a field for days and times, in both languages, with their place in `YYYY-MM-DDTHH:mm`. */
const PARTS: Readonly<Record<string, string>> = {
  Year: 'year',
  Año: 'year',
  Month: 'month',
  Mes: 'month',
  Day: 'day',
  Día: 'day',
  Hours: 'hour',
  Horas: 'hour',
  Minutes: 'minute',
  Minutos: 'minute',
  Meridiem: 'half',
  Meridiano: 'half',
};

/** Returns the field for a day or a time with this label. */
export const dateField = (scope: Page | Locator, label: string | RegExp): Locator => scope.getByRole('group', { name: label, exact: true });

/** Returns the parts of a field, in the order of the language. */
export const partsOf = (field: Locator): Locator => field.getByRole('spinbutton');

/** Types a day (`YYYY-MM-DD`), a time (`HH:mm`) or both with `T` between them, as a person does: the digits in the order of the language. */
export async function typeDate(field: Locator, value: string): Promise<void> {
  const found = /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d))?T?(?:(?<hour>\d\d):(?<minute>\d\d))?$/.exec(value)?.groups ?? {};
  const names = await namesOfParts(field);
  const hasHalves = names.includes('half');
  const hour = Number(found.hour);
  const keys: Readonly<Record<string, string | undefined>> = {
    ...found,
    ...(hasHalves && { hour: String(hour % 12 || 12).padStart(2, '0'), half: hour < 12 ? 'a' : 'p' }),
  };
  await partsOf(field).first().click();
  for (const name of names) await field.page().keyboard.type(keys[name] ?? '');
}

/** Expects a complete value in the field. */
export async function expectDate(field: Locator, value: string): Promise<void> {
  const names = await namesOfParts(field);
  const readValue = async () => {
    const texts = await partsOf(field).allTextContents();
    const part = (name: string) => texts[names.indexOf(name)] ?? '';
    const hour = names.includes('half')
      ? String((Number(part('hour')) % 12) + (part('half') === 'PM' ? 12 : 0)).padStart(2, '0')
      : part('hour');
    const day = names.includes('year') ? `${part('year')}-${part('month')}-${part('day')}` : '';
    const time = names.includes('hour') ? `${hour}:${part('minute')}` : '';
    return [day, time].filter(Boolean).join('T');
  };
  await expect.poll(readValue).toBe(value);
}

async function namesOfParts(field: Locator): Promise<string[]> {
  await partsOf(field).first().waitFor();
  const labels = await partsOf(field).evaluateAll((parts) => parts.map((part) => part.getAttribute('aria-label') ?? ''));
  return labels.map((label) => PARTS[label] ?? label);
}
