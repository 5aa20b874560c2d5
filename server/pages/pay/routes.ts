import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { PagePayment, PayPage } from '#core/billing/invoicing';
import { ServiceError } from '#core/kernel';
import { addressOf, countPayer } from '#server/hooks';
import { addAsset } from '../asset.ts';
import { html } from '../html.ts';
import { addCustomerPages } from './account/routes.ts';
import { PAGE_SCRIPT, STYLE_SHEET } from './assets.ts';
import { addCardUpdatePages } from './card-update-routes.ts';
import { type FormValues, faultsOf, isComplete, methodOf, readForm, reusableFields } from './form.ts';
import { addProcessorPages } from './hosted-page-routes.ts';
import { inLanguageOf, preferredLanguage, textsOf } from './languages.ts';
import type { Page } from './layout.ts';
import type { FormContent } from './pay-form.ts';
import { deviceOf, markDevice, recall, remember } from './payer-cookie.ts';
import { titleOf } from './payment-summary.ts';
import { refusalOf } from './refusals.ts';
import { sendDocument } from './send-page.ts';
import { sendPdf } from './send-pdf.ts';
import { shippingText } from './shipping.ts';
import { alreadyPaidPage, busyPage, declineText, messagePage, openPage, type Paid, paidPage, pendingPage } from './states.ts';
import { addSurchargeQuote, missingSurcharge, shownSurcharge } from './surcharge.ts';
import type { Texts } from './texts-en.ts';
import { tipChoice } from './tip.ts';
import { type PayView, viewOf } from './view.ts';

/** Dependencies of the payment pages. The core is replaced once if the first run chooses another database. */
interface PaymentPagesRuntime {
  readonly core: Core;
  isSetUp(): Promise<boolean>;
}

const FORM_BYTES_MAX = 16_384;
const ATTEMPT_BYTES = 18;
const USER_AGENT_MAX = 400;
const GONE = 410;
const CONFLICT = 409;
const PAYERS = { config: { isForPayers: true } };
/** Files that are rendered on request. */
const FILES = { config: { isForPayers: true, isFile: true } };
/** Targets of short addresses: pages of this server. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** An open page with its invoice and language. */
interface Open {
  readonly page: PayPage;
  readonly view: PayView;
  readonly texts: Texts;
}

/** Adds the hosted payment page and the short addresses that lead to it. They work without scripts. */
export async function addPayPages(app: FastifyInstance, runtime: PaymentPagesRuntime): Promise<void> {
  for (const asset of [STYLE_SHEET, PAGE_SCRIPT]) addAsset(app, asset);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, text, done) => done(null, new URLSearchParams(text as string)),
    );
    scope.addHook('onRequest', async (request, reply) => {
      // With no-referrer, a browser submits forms with the origin `null`, which would be refused as a foreign origin.
      reply.header('referrer-policy', 'same-origin');
      if (!(await runtime.isSetUp()))
        throw new ServiceError('SERVICE_UNAVAILABLE', 'Paydesk is not set up yet.', { details: { reason: 'not_set_up' } });
      const { isFile } = request.routeOptions.config as { isFile?: boolean };
      await countPayer(runtime.core.limits, addressOf(request), isFile === true, reply);
    });
    scope.setErrorHandler((thrown, request, reply) => sendFailure(thrown as Error, request, reply));
    const token = (request: FastifyRequest) => (request.params as { token: string }).token;
    const open = async (request: FastifyRequest): Promise<Open> => {
      const found = await runtime.core.invoicing.openPage(token(request));
      const page = { ...found, merchant: inLanguageOf(request, found.merchant, found.language) };
      const plan = await runtime.core.installments.openPlanOf(page.tenantId, page.invoice.invoiceId);
      const view = viewOf({ ...page, plan }, `/pay/${encodeURIComponent(token(request))}`);
      return { page, view, texts: textsOf(view.language) };
    };

    scope.get('/pay/:token', PAYERS, async (request, reply) => {
      const opened = await open(request);
      const deviceId = markDevice(request, reply, '/pay');
      const { payment: paymentId } = request.query as { payment?: unknown };
      // The result of a payment reloads itself until the payment is concluded; it is no visit.
      if (paymentId === undefined)
        await runtime.core.invoicing.visited(opened.page.tenantId, opened.page.invoice.invoiceId, { ...originOf(request), deviceId });
      if (paymentId === undefined) return send(reply, opened.view, stateOf(opened));
      const payment = await runtime.core.invoicing.pagePayment(token(request), String(paymentId));
      return send(reply, opened.view, outcomeOf(request, opened, payment));
    });

    scope.post('/pay/:token', PAYERS, async (request, reply) => {
      const opened = await open(request);
      if (!(request.body instanceof URLSearchParams)) throw new ServiceError('VALIDATION_ERROR', 'Send the form of the page.');
      const values = readForm(request.body, opened.view);
      const refused = refusedForm(opened, values);
      if (refused) return send(reply, opened.view, refused);
      try {
        const payment = await pay(runtime.core, token(request), opened, values, request);
        const { email } = values;
        const { amount: _, routing: __, ...kept } = reusableFields(values);
        remember(request, reply, opened.view.path, { ...kept, email });
        return reply.redirect(`${opened.view.path}?payment=${encodeURIComponent(payment.paymentId)}`, 303);
      } catch (error) {
        const missing = missingSurcharge(error);
        if (missing !== null) {
          const surcharge = shownSurcharge(missing, opened.view.language, opened.texts);
          const notice = opened.texts.surcharge.notShown(surcharge.line);
          return send(reply, opened.view, openPage({ ...formOf(opened), kept: reusableFields(values), surcharge, notice }, CONFLICT));
        }
        const refusal = refusalOf(error, opened.view, opened.texts);
        if (refusal === null) throw error;
        const now = refusal.kind === 'state' ? await open(request) : opened;
        if (now.view.state !== 'open') return send(reply, now.view, stateOf(now, CONFLICT));
        const content = { ...formOf(now), kept: reusableFields(values) };
        if (refusal.kind === 'field')
          return send(reply, now.view, openPage({ ...content, faults: { [refusal.field]: refusal.text } }, refusal.status));
        const notice = refusal.kind === 'state' ? now.texts.errors.changed : refusal.text;
        if (refusal.kind === 'wait') reply.header('retry-after', refusal.retryAfter);
        return send(
          reply,
          now.view,
          openPage({ ...content, notice, kept: { ...reusableFields(values), amount: undefined } }, refusal.status),
        );
      }
    });

    addSurchargeQuote(scope, { core: () => runtime.core, open });

    scope.get('/pay/:token/invoice.pdf', FILES, async (request, reply) => {
      const { page } = await open(request);
      const { filename, content } = await runtime.core.invoicing.pdfOfPage(token(request), page.merchant.language);
      return sendPdf(reply, filename, content);
    });

    scope.get('/pay/:token/receipt.pdf', FILES, async (request, reply) => {
      const opened = await open(request);
      const payment = await runtime.core.invoicing.pagePayment(token(request), String((request.query as { payment?: unknown }).payment));
      if (payment.status !== 'succeeded' || payment.transactionId === null)
        return send(reply, opened.view, messagePage(404, opened.texts.messages.noReceipt));
      return sendPdf(
        reply,
        `${payment.transactionId}.pdf`,
        await runtime.core.receipts.pdfFor(opened.page.tenantId, payment.transactionId, opened.view.language),
      );
    });

    addCardUpdatePages(scope, runtime);
    addCustomerPages(scope, runtime);
    addProcessorPages(scope, runtime);

    scope.get('/s/:code', PAYERS, async (request, reply) => {
      const found = await runtime.core.invoicing.resolveShort((request.params as { code: string }).code);
      const texts = textsOf(preferredLanguage(request.headers['accept-language'])).messages;
      if (found === null || !OWN_PATH.test(found.target)) return sendPlain(request, reply, messagePage(404, texts.unknownShort));
      if (found.isExpired) return sendPlain(request, reply, messagePage(GONE, texts.expiredShort));
      return reply.redirect(found.target, 302);
    });
  });
}

function formOf({ view, texts }: Open): Omit<FormContent, 'faults'> {
  return { view, texts, attempt: randomBytes(ATTEMPT_BYTES).toString('base64url'), kept: {} };
}

/** Returns the problems of a form that are known before it is submitted; null if there is none. */
function refusedForm(opened: Open, values: FormValues): Page | null {
  const { view, texts } = opened;
  if (!isComplete(values, view))
    return view.state === 'open'
      ? openPage({ ...formOf(opened), kept: reusableFields(values), notice: texts.errors.stale }, 400)
      : stateOf(opened, CONFLICT);
  const faults = faultsOf(values, view, texts);
  if (Object.keys(faults).length === 0) return null;
  return view.state === 'open' ? openPage({ ...formOf(opened), kept: reusableFields(values), faults }, 400) : stateOf(opened, CONFLICT);
}

function pay(core: Core, token: string, { view, texts }: Open, values: FormValues, request: FastifyRequest): Promise<PagePayment> {
  const { attempt, amount, surcharge, currency, name, email, zip, method } = values;
  const isCard = method === 'card';
  const payment = {
    attemptKey: attempt,
    amount,
    tip: tipChoice(values),
    currency: currency === '' ? undefined : currency,
    method: methodOf(values, view),
    consentText: isCard ? undefined : texts.mandate(view.brand.companyName),
    name,
    email: email === '' ? undefined : email,
    zip: isCard && view.requireZip ? zip : undefined,
    shippingAddress: view.collectShippingAddress ? shippingText(values, view) : undefined,
    surchargeAmount: surcharge,
  };
  return core.invoicing.payOnPage(token, payment, { ...originOf(request), requestId: request.id });
}

const originOf = (request: FastifyRequest) => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX),
  deviceId: deviceOf(request),
});

/** Returns the page for the present state of the invoice. */
function stateOf(opened: Open, statusOfConflict?: number): Page {
  const { page, view, texts } = opened;
  switch (view.state) {
    case 'open':
      // A merchant that accepts stored cards only accepts no payments here.
      return view.methods.length === 0 ? messagePage(GONE, texts.states.closed) : openPage(formOf(opened));
    case 'paid':
      return alreadyPaidPage(view, texts, paidOnline(page), statusOfConflict);
    case 'busy':
      return busyPage(texts, statusOfConflict);
    default:
      return messagePage(GONE, texts.states[view.state]);
  }
}

function paidOnline({ invoice }: PayPage): Paid[] {
  return invoice.payments.filter(({ status, transactionId }) => status === 'succeeded' && transactionId !== null);
}

/** Returns the result of a payment. */
function outcomeOf(request: FastifyRequest, opened: Open, payment: PagePayment): Page {
  const { page, view, texts } = opened;
  const { accountType, method, tip, tipAmount, name, email, zip } = recall(request);
  switch (payment.status) {
    case 'pending':
      return pendingPage(view, texts, payment);
    case 'succeeded': {
      const stored = page.invoice.payments.find(({ paymentId }) => paymentId === payment.paymentId);
      return paidPage(view, texts, { card: null, bankAccount: null, ...stored, ...payment }, email || null);
    }
    case 'failed':
      if (view.state !== 'open') return stateOf(opened);
      return openPage({
        ...formOf(opened),
        kept: { accountType, tip, tipAmount, method: method && view.methods.includes(method) ? method : undefined, name, email, zip },
        notice: declineText(texts, payment.declineCode),
      });
    default:
      return messagePage(200, texts.voided, html`<p><a class="action" href="${view.path}">${titleOf(view, texts)}</a></p>`);
  }
}

function send(
  reply: FastifyReply,
  { language, brand, isSandbox }: Pick<PayView, 'language' | 'brand' | 'isSandbox'>,
  page: Page,
): FastifyReply {
  return sendDocument(reply, page, { language, brand, isSandbox });
}

/** Sends a neutral page. */
function sendPlain(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  return sendDocument(reply, page, { language: preferredLanguage(request.headers['accept-language']), brand: null, isSandbox: false });
}

/** Sends an error as a page. */
function sendFailure(thrown: Error & { readonly statusCode?: number }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const texts = textsOf(preferredLanguage(request.headers['accept-language'])).messages;
  const respond = (status: number, name: keyof typeof texts) => sendPlain(request, reply, messagePage(status, texts[name]));
  if (thrown instanceof ServiceError) {
    const { code, status, field, details } = thrown;
    request.errorCode = code;
    if (status === 429) return respond(status, 'tooMany');
    if (status === 404) return respond(status, 'unknown');
    if (field === 'Host' || field === 'Origin') return respond(status, 'wrongAddress');
    if (details?.reason === 'not_set_up') return respond(status, 'notReady');
    if (status < 500) return respond(status, 'unreadable');
  } else if (thrown.statusCode === 413) return respond(413, 'tooLarge');
  else if (thrown.statusCode !== undefined && thrown.statusCode < 500) return respond(400, 'unreadable');
  request.log.error({ requestId: request.id, err: thrown }, 'request failed');
  return respond(thrown instanceof ServiceError ? thrown.status : 500, 'broken');
}
