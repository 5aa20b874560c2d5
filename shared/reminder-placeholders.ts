/** Placeholders of the texts of invoice reminders, which are written as `{{number}}`. */
export const REMINDER_PLACEHOLDERS = ['customer', 'number', 'amount', 'dueDate', 'company', 'lateFees'] as const;
export type ReminderPlaceholder = (typeof REMINDER_PLACEHOLDERS)[number];

/** Largest number of characters of a text message, without the link that follows. */
export const SMS_MAX = 600;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const isKnown = (name: string): name is ReminderPlaceholder => (REMINDER_PLACEHOLDERS as readonly string[]).includes(name);

/** Returns the first placeholder of a text that does not exist, with its braces. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !isKnown(name))?.[0];

/** Returns a text with the values in place of its placeholders. A value is not searched for placeholders again. */
export const withValues = (text: string, values: Readonly<Record<ReminderPlaceholder, string>>): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => (isKnown(name) ? values[name] : whole));
