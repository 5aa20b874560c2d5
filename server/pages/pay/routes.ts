import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { PagePayment, PayPage } from '#core/invoicing';
import { ServiceError } from '#core/kernel';
import { addressOf, countPayer } from '#server/hooks';
import { addAsset } from '../asset.ts';
import { titleOf } from './asked.ts';
import { PAGE_SCRIPT, STYLE_SHEET } from './assets.ts';
import { type Filled, faultsOf, isWhole, keptOf, methodOf, readForm } from './form.ts';
import { html } from './html.ts';
import { languageWanted, wordsOf } from './languages.ts';
import { documentOf, type Page } from './layout.ts';
import type { FormContent } from './pay-form.ts';
import { recall, remember } from './payer-cookie.ts';
import { refusalOf } from './refusals.ts';
import { alreadyPaidPage, busyPage, declineWords, openPage, type Paid, paidPage, pendingPage, saidPage } from './states.ts';
import { type PayView, viewOf } from './view.ts';
import type { Words } from './words.ts';

/** Dependencies of the payer pages. The core may be exchanged once, when the first run chooses another database. */
interface PayersRuntime {
  readonly core: Core;
  isSetUp(): Promise<boolean>;
}

const FORM_BYTES_MAX = 16_384;
const ATTEMPT_BYTES = 18;
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
  readonly words: Words;
}

/** The hosted pay page and the short addresses that lead to it (specification 4.1, 4.10; decisions 7). They are whole without a script. */
export async function addPayPages(app: FastifyInstance, runtime: PayersRuntime): Promise<void> {
  for (const asset of [STYLE_SHEET, PAGE_SCRIPT]) addAsset(app, asset);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, text, done) => done(null, new URLSearchParams(text as string)),
    );
    scope.addHook('onRequest', async (request, reply) => {
      // A form that is sent under no-referrer names no origin, and would be taken for a foreign one.
      reply.header('referrer-policy', 'same-origin');
      if (!(await runtime.isSetUp()))
        throw new ServiceError('SERVICE_UNAVAILABLE', 'Paydesk is not set up yet.', { details: { reason: 'not_set_up' } });
      const { isFile } = request.routeOptions.config as { isFile?: boolean };
      await countPayer(runtime.core.limits, addressOf(request), isFile === true, reply);
    });
    scope.setErrorHandler((thrown, request, reply) => failed(thrown as Error, request, reply));
    const token = (request: FastifyRequest) => (request.params as { token: string }).token;
    const open = async (request: FastifyRequest): Promise<Open> => {
      const page = await runtime.core.invoicing.openPage(token(request));
      const view = viewOf(page, `/pay/${encodeURIComponent(token(request))}`);
      return { page, view, words: wordsOf(view.language) };
    };

    scope.get('/pay/:token', PAYERS, async (request, reply) => {
      const opened = await open(request);
      const { payment: paymentId } = request.query as { payment?: unknown };
      if (paymentId === undefined) return send(reply, opened.view, stateOf(opened));
      const payment = await runtime.core.invoicing.pagePayment(token(request), String(paymentId));
      return send(reply, opened.view, outcomeOf(request, opened, payment));
    });

    scope.post('/pay/:token', PAYERS, async (request, reply) => {
      const opened = await open(request);
      if (!(request.body instanceof URLSearchParams)) throw new ServiceError('VALIDATION_ERROR', 'Send the form of the page.');
      const filled = readForm(request.body, opened.view);
      const refused = refusedForm(opened, filled);
      if (refused) return send(reply, opened.view, refused);
      try {
        const payment = await pay(runtime.core, token(request), opened, filled, request);
        const { email } = filled;
        const { method, name, zip, accountType } = keptOf(filled);
        remember(request, reply, opened.view.path, { method, name, email, zip, accountType });
        return reply.redirect(`${opened.view.path}?payment=${encodeURIComponent(payment.paymentId)}`, 303);
      } catch (error) {
        const refusal = refusalOf(error, opened.view, opened.words);
        if (refusal === null) throw error;
        const now = refusal.kind === 'state' ? await open(request) : opened;
        if (now.view.state !== 'open') return send(reply, now.view, stateOf(now, CONFLICT));
        const content = { ...formOf(now), kept: keptOf(filled) };
        if (refusal.kind === 'field')
          return send(reply, now.view, openPage({ ...content, faults: { [refusal.field]: refusal.words } }, refusal.status));
        const notice = refusal.kind === 'state' ? now.words.errors.changed : refusal.words;
        if (refusal.kind === 'wait') reply.header('retry-after', refusal.retryAfter);
        return send(reply, now.view, openPage({ ...content, notice, kept: { ...keptOf(filled), amount: undefined } }, refusal.status));
      }
    });

    scope.get('/pay/:token/invoice.pdf', FILES, async (request, reply) => {
      const { filename, content } = await runtime.core.invoicing.pdfOfPage(token(request));
      return sendPdf(reply, filename, content);
    });

    scope.get('/pay/:token/receipt.pdf', FILES, async (request, reply) => {
      const opened = await open(request);
      const payment = await runtime.core.invoicing.pagePayment(token(request), String((request.query as { payment?: unknown }).payment));
      if (payment.status !== 'succeeded' || payment.transactionId === null)
        return send(reply, opened.view, saidPage(404, opened.words.plain.noReceipt));
      return sendPdf(
        reply,
        `${payment.transactionId}.pdf`,
        await runtime.core.receipts.pdfFor(opened.page.tenantId, payment.transactionId),
      );
    });

    scope.get('/s/:code', PAYERS, async (request, reply) => {
      const found = await runtime.core.invoicing.resolveShort((request.params as { code: string }).code);
      const words = wordsOf(languageWanted(request.headers['accept-language'])).plain;
      if (found === null || !OWN_PATH.test(found.target)) return sendPlain(request, reply, saidPage(404, words.unknownShort));
      if (found.isExpired) return sendPlain(request, reply, saidPage(GONE, words.expiredShort));
      return reply.redirect(found.target, 302);
    });
  });
}

function formOf({ view, words }: Open): Omit<FormContent, 'faults'> {
  return { view, words, attempt: randomBytes(ATTEMPT_BYTES).toString('base64url'), kept: {} };
}

/** Returns the problems of a form that are known before it is submitted; null if there is none. */
function refusedForm(opened: Open, filled: Filled): Page | null {
  const { view, words } = opened;
  if (!isWhole(filled, view))
    return view.state === 'open'
      ? openPage({ ...formOf(opened), kept: keptOf(filled), notice: words.errors.stale }, 400)
      : stateOf(opened, CONFLICT);
  const faults = faultsOf(filled, view, words);
  if (Object.keys(faults).length === 0) return null;
  return view.state === 'open' ? openPage({ ...formOf(opened), kept: keptOf(filled), faults }, 400) : stateOf(opened, CONFLICT);
}

function pay(core: Core, token: string, { view }: Open, filled: Filled, request: FastifyRequest): Promise<PagePayment> {
  const { attempt, amount, currency, name, email, zip, method } = filled;
  const isCard = method === 'card';
  const payment = {
    attemptKey: attempt,
    amount,
    currency: currency === '' ? undefined : currency,
    method: methodOf(filled, view),
    name,
    email: email === '' ? undefined : email,
    zip: isCard && view.requireZip ? zip : undefined,
  };
  return core.invoicing.payOnPage(token, payment, { ip: addressOf(request), requestId: request.id });
}

/** Returns the page for the present state of the invoice. */
function stateOf(opened: Open, statusOfConflict?: number): Page {
  const { page, view, words } = opened;
  switch (view.state) {
    case 'open':
      // A merchant that takes stored cards alone takes nothing here.
      return view.methods.length === 0 ? saidPage(GONE, words.states.closed) : openPage(formOf(opened));
    case 'paid':
      return alreadyPaidPage(view, words, paidOnline(page), statusOfConflict);
    case 'busy':
      return busyPage(words, statusOfConflict);
    default:
      return saidPage(GONE, words.states[view.state]);
  }
}

function paidOnline({ invoice }: PayPage): Paid[] {
  return invoice.payments.filter(({ status, transactionId }) => status === 'succeeded' && transactionId !== null);
}

/** Returns the result of a payment. */
function outcomeOf(request: FastifyRequest, opened: Open, payment: PagePayment): Page {
  const { page, view, words } = opened;
  const { accountType, method, name, email, zip } = recall(request);
  switch (payment.status) {
    case 'pending':
      return pendingPage(view, words, payment.amount);
    case 'succeeded': {
      const whole = page.invoice.payments.find(({ paymentId }) => paymentId === payment.paymentId);
      return paidPage(view, words, { card: null, bankAccount: null, ...whole, ...payment }, email || null);
    }
    case 'failed':
      if (view.state !== 'open') return stateOf(opened);
      return openPage({
        ...formOf(opened),
        kept: { accountType, method: method && view.methods.includes(method) ? method : undefined, name, email, zip },
        notice: declineWords(words, payment.declineCode),
      });
    default:
      return saidPage(200, words.voided, html`<p><a class="action" href="${view.path}">${titleOf(view, words)}</a></p>`);
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
  return sendDocument(reply, page, { language: languageWanted(request.headers['accept-language']), brand: null, isSandbox: false });
}

function sendDocument(reply: FastifyReply, page: Page, around: Parameters<typeof documentOf>[1]): FastifyReply {
  const { text, policy } = documentOf(page, around);
  return reply.code(page.status).type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
}

function sendPdf(reply: FastifyReply, filename: string, content: Buffer): FastifyReply {
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${filename.replace(/[^\w.-]/g, '_')}"`)
    .send(content);
}

/** Refusals and faults on the way to a page, as pages. */
function failed(thrown: Error & { readonly statusCode?: number }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const words = wordsOf(languageWanted(request.headers['accept-language'])).plain;
  const said = (status: number, name: keyof typeof words) => sendPlain(request, reply, saidPage(status, words[name]));
  if (thrown instanceof ServiceError) {
    const { code, status, field, details } = thrown;
    request.errorCode = code;
    if (status === 429) return said(status, 'tooMany');
    if (status === 404) return said(status, 'unknown');
    if (field === 'Host' || field === 'Origin') return said(status, 'wrongAddress');
    if (details?.reason === 'not_set_up') return said(status, 'notReady');
    if (status < 500) return said(status, 'unreadable');
  } else if (thrown.statusCode === 413) return said(413, 'tooLarge');
  else if (thrown.statusCode !== undefined && thrown.statusCode < 500) return said(400, 'unreadable');
  request.log.error({ requestId: request.id, err: thrown }, 'failed');
  return said(thrown instanceof ServiceError ? thrown.status : 500, 'broken');
}
