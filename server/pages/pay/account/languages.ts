import type { Language } from '#shared/languages';
import type { AccountTexts } from './texts.ts';
import { accountEn } from './texts-en.ts';
import { accountEs } from './texts-es.ts';

export const ACCOUNT_TEXTS: Readonly<Record<Language, AccountTexts>> = { en: accountEn, es: accountEs };
