import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import { ServiceError } from '#core/kernel';
import { brandOf } from '#core/platform/documents';
import type { CardUpdatePage } from '#core/sales/customers';
import { addressOf } from '#server/hooks';
import { brandName } from '#shared/card-brands';
import { type CardForm, cardFormPage, readCard } from './card-update-form.ts';
import { CARD_UPDATE_TEXTS } from './card-update-texts.ts';
import { inLanguageOf, textsOf } from './languages.ts';
import type { Page } from './layout.ts';
import { sendDocument } from './send-page.ts';
import { messagePage } from './states.ts';

const PAYERS = { config: { isForPayers: true } };
const USER_AGENT_MAX = 400;
const GONE = 410;
const CONFLICT = 409;
const CARD_FIELDS: Readonly<Record<string, 'number' | 'expiry'>> = {
  'card.number': 'number',
  'card.expiryMonth': 'expiry',
  'card.expiryYear': 'expiry',
};

/** Adds the page on which a customer replaces a card, to the scope of the payment pages with its limits and form parser. */
export function addCardUpdatePages(scope: FastifyInstance, runtime: { readonly core: Core }): void {
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  /** Returns the page, with the merchant in the language of the visitor. */
  const open = async (request: FastifyRequest): Promise<CardUpdatePage> => {
    const page = await runtime.core.customers.openUpdatePage(tokenOf(request));
    const chosen = await runtime.core.invoicing.reminders.languageOf(page.tenantId, page.customerId);
    return { ...page, merchant: inLanguageOf(request, page.merchant, chosen) };
  };

  scope.get('/card/:token', PAYERS, async (request, reply) => {
    const page = await open(request);
    return send(reply, page, stateOf(page, tokenOf(request)));
  });

  scope.post('/card/:token', PAYERS, async (request, reply) => {
    const page = await open(request);
    const token = tokenOf(request);
    if (!(request.body instanceof URLSearchParams)) throw new ServiceError('VALIDATION_ERROR', 'Send the form of the page.');
    if (page.state !== 'open') return send(reply, page, stateOf(page, token, CONFLICT));
    const form = formOf(page, token);
    const read = readCard(request.body, form.fieldTexts);
    if ('faults' in read) return send(reply, page, cardFormPage({ ...form, faults: read.faults }, 400));
    const origin = { ip: addressOf(request), requestId: request.id, userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) };
    try {
      await runtime.core.customers.saveOnUpdatePage(token, { card: read.card, consentText: form.texts.consent(form.merchant) }, origin);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500 || error.status === 429) throw error;
      const now = await open(request);
      if (now.state !== 'open') return send(reply, now, stateOf(now, token, CONFLICT));
      return send(reply, page, cardFormPage(refusedForm(form, error), error.status));
    }
    return reply.redirect(`/card/${encodeURIComponent(token)}`, 303);
  });
}

function formOf({ merchant, method }: CardUpdatePage, token: string): CardForm {
  const texts = CARD_UPDATE_TEXTS[merchant.language];
  const fieldTexts = textsOf(merchant.language);
  const replaced =
    method &&
    (method.type === 'card' ? texts.card(brandName(method.brand ?? '') || fieldTexts.card, method.last4) : texts.account(method.last4));
  return { path: `/card/${encodeURIComponent(token)}`, merchant: brandOf(merchant).companyName, replaced, texts, fieldTexts, faults: {} };
}

/** Returns the form with the problem of a card that the service refused. */
function refusedForm(form: CardForm, { code, field }: ServiceError): CardForm {
  const { errors } = form.fieldTexts;
  const name = CARD_FIELDS[field ?? ''];
  if (code === 'CARD_EXPIRED') return { ...form, faults: { expiry: errors.expiry.expired } };
  return name === undefined ? { ...form, notice: form.texts.refused } : { ...form, faults: { [name]: errors[name].wrong } };
}

/** Returns the page for the present state of the link. A link that is not open contains no data of the customer. */
function stateOf(page: CardUpdatePage, token: string, statusOfConflict?: number): Page {
  const texts = CARD_UPDATE_TEXTS[page.merchant.language];
  const merchant = brandOf(page.merchant).companyName;
  switch (page.state) {
    case 'open':
      return cardFormPage(formOf(page, token));
    case 'used':
      return messagePage(statusOfConflict ?? 200, texts.saved(merchant));
    default:
      return messagePage(GONE, texts[page.state](merchant));
  }
}

function send(reply: FastifyReply, { merchant, isSandbox }: CardUpdatePage, page: Page): FastifyReply {
  return sendDocument(reply, page, { language: merchant.language, brand: brandOf(merchant), isSandbox });
}
