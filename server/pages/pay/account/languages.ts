import type { Language } from '#shared/languages';
import { type AccountTexts, accountEn } from './texts-en.ts';
import { accountEs } from './texts-es.ts';

export const ACCOUNT_TEXTS: Readonly<Record<Language, AccountTexts>> = { en: accountEn, es: accountEs };
