import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import { type CustomerPage, formKeyOf, type NewSession, type Visitor } from '#core/billing/customer-page';
import { type OpenInvoice, TOGETHER_MAX } from '#core/billing/invoicing';
import { isId, ServiceError } from '#core/kernel';
import { brandOf } from '#core/platform/documents';
import { addressOf } from '#server/hooks';
import { inLanguageOf } from '../languages.ts';
import type { Page } from '../layout.ts';
import { deviceOf, markDevice } from '../payer-cookie.ts';
import { sendDocument } from '../send-page.ts';
import { sendPdf } from '../send-pdf.ts';
import { messagePage } from '../states.ts';
import { ACCOUNT_TEXTS } from './languages.ts';
import { isPayable, overviewPage, subscriptionName } from './overview.ts';
import { payInvoicesPage } from './pay-invoices.ts';
import { submitPayment } from './pay-submission.ts';
import { enterCodePage, questionPage, refusedPage, requestCodePage, resultPage } from './steps.ts';
import { CHANGES, type Change } from './texts-en.ts';
import { type AccountView, accountView, methodName } from './view.ts';

const NAME = 'paydesk_account';

/** Returns the session of the browser on the page of a link; undefined if it has none. */
function sessionOf(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; *)${NAME}=([\\w-]{27})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/** Stores a new session in a cookie, which is sent by requests of this page only, and never by those that another site starts. */
function storeSession(request: FastifyRequest, reply: FastifyReply, path: string, { session, seconds }: NewSession): void {
  setCookie(request, reply, path, session, seconds);
}

function clearSession(request: FastifyRequest, reply: FastifyReply, path: string): void {
  setCookie(request, reply, path, '', 0);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, path: string, value: string, seconds: number): void {
  const secure = request.headers.origin?.startsWith('https:') || request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${NAME}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`);
}

const PAYERS = { config: { isForPayers: true } };
const FILES = { config: { isForPayers: true, isFile: true } };
const USER_AGENT_MAX = 400;
const GONE = 410;
const CODE = /^[\d ]{1,12}$/;
const RECEIPT_PAGE = /^\d{1,5}$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Paths below that of the page, to which it returns after a code. */
const NEXT = /^(?:change\/(?:cancel|skip|replace|remove)\/\w{3,40}|pay\?(?:invoice=inv_\w{26}&?){1,20})$/;
const DONE = new Set(['confirmed', 'ended', ...CHANGES]);
const LIMITS = new Set(['RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED']);

/** A request of the page of a customer. */
interface Opened {
  /** The page, with the merchant in the language of the visitor. */
  readonly page: CustomerPage;
  /** Null unless the page is open. */
  readonly view: AccountView | null;
  readonly visitor: Visitor;
  readonly path: string;
}

type Handler = (request: FastifyRequest, reply: FastifyReply, view: AccountView, opened: Opened) => Promise<unknown>;

/** Adds the page of a customer to the scope of the payment pages, with its limits and form parser. It works without scripts. */
export function addCustomerPages(scope: FastifyInstance, runtime: { readonly core: Core }): void {
  const pages = () => runtime.core.customerPages;

  async function open(request: FastifyRequest): Promise<Opened> {
    const { token } = request.params as { token: string };
    const session = sessionOf(request);
    const { receipts } = request.query as { receipts?: unknown };
    const found = await pages().open(token, session, typeof receipts === 'string' && RECEIPT_PAGE.test(receipts) ? Number(receipts) : 1);
    const page = { ...found, merchant: inLanguageOf(request, found.merchant, found.content?.language ?? null) };
    const path = `/account/${encodeURIComponent(token)}`;
    const key = page.content?.isConfirmed && session !== undefined ? formKeyOf(session) : '';
    const view = page.content && accountView(page, page.content, path, key);
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_MAX);
    const deviceId = deviceOf(request);
    return {
      page,
      view,
      path,
      visitor: {
        token,
        session,
        language: page.merchant.language,
        ip: addressOf(request),
        requestId: request.id,
        ...(userAgent && { userAgent }),
        ...(deviceId && { deviceId }),
      },
    };
  }

  /** Returns a handler of an open page. A link that is not open has a page that says so and contains nothing about the customer. */
  const opened = (handle: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await open(request);
    if (found.view) return handle(request, reply, found.view, found);
    const texts = ACCOUNT_TEXTS[found.page.merchant.language];
    const state = found.page.state === 'expired' ? 'expired' : 'closed';
    return send(reply, found.page, messagePage(GONE, texts[state](brandOf(found.page.merchant).companyName)));
  };

  scope.get(
    '/account/:token',
    PAYERS,
    opened(async (request, reply, view, { page }) => {
      const { done } = request.query as { done?: unknown };
      return send(reply, page, overviewPage(view, typeof done === 'string' && DONE.has(done) ? noticeOf(view, done) : null));
    }),
  );

  scope.post(
    '/account/:token/code',
    PAYERS,
    opened(async (request, reply, view, { page, visitor, path }) => {
      const next = nextOf(formOf(request).get('next'));
      try {
        const codeId = await pages().requestCode(visitor);
        return reply.redirect(`${path}/code?id=${codeId}&next=${encodeURIComponent(next)}`, 303);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        // The page itself says why no code can be sent.
        if (error.code === 'RESOURCE_CONFLICT') return send(reply, page, requestCodePage(view, next, null, error.status));
        if (!LIMITS.has(error.code)) throw error;
        const { confirm } = view.texts;
        const fault = error.code === 'RATE_LIMIT_EXCEEDED' ? confirm.tooSoon(Number(error.details?.retryAfter ?? 30)) : confirm.tooMany;
        return send(reply, page, requestCodePage(view, next, fault, error.status));
      }
    }),
  );

  scope.get(
    '/account/:token/code',
    PAYERS,
    opened(async (request, reply, view, { page }) => {
      const { id, next } = request.query as { id?: unknown; next?: unknown };
      const codeId = typeof id === 'string' && isId('otp', id) ? id : null;
      if (codeId === null) return send(reply, page, requestCodePage(view, nextOf(next), null));
      return send(reply, page, enterCodePage(view, { codeId, next: nextOf(next), fault: null }));
    }),
  );

  scope.post(
    '/account/:token/confirm',
    PAYERS,
    opened(async (request, reply, view, { page, visitor, path }) => {
      const form = formOf(request);
      const next = nextOf(form.get('next'));
      const codeId = form.get('codeId') ?? '';
      const code = form.get('code')?.trim() ?? '';
      try {
        if (!isId('otp', codeId) || !CODE.test(code)) throw new ServiceError('VALIDATION_ERROR', 'This is no code.');
        storeSession(request, reply, path, await pages().confirmCode(visitor.token, { codeId, code }, visitor));
        return reply.redirect(next === '' ? `${path}?done=confirmed` : `${path}/${next}`, 303);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status >= 500) throw error;
        const { confirm } = view.texts;
        if (error.details?.reason === 'address_changed') return send(reply, page, requestCodePage(view, next, confirm.moved, error.status));
        if (error.code === 'NOT_FOUND') return send(reply, page, requestCodePage(view, next, confirm.used, 409));
        return send(reply, page, enterCodePage(view, { codeId: isId('otp', codeId) ? codeId : '', next, fault: confirm.wrong }, 400));
      }
    }),
  );

  scope.post(
    '/account/:token/end',
    PAYERS,
    opened(async (request, reply, view, { visitor, path }) => {
      if (hasFormKey(request, view)) await pages().endSession(visitor.token, visitor.session);
      clearSession(request, reply, path);
      return reply.redirect(`${path}?done=ended`, 303);
    }),
  );

  scope.get(
    '/account/:token/change/:change/:id',
    PAYERS,
    opened(async (request, reply, view, { page }) => {
      const question = questionOf(request, view);
      if (question === null) return send(reply, page, refusedPage(view, view.texts.refused, 404));
      if (!view.content.isConfirmed) return send(reply, page, requestCodePage(view, `change/${question.change}/${question.id}`, null));
      return send(reply, page, questionPage(view, question));
    }),
  );

  scope.post(
    '/account/:token/change/:change/:id',
    PAYERS,
    opened(async (request, reply, view, { page, visitor, path }) => {
      const question = questionOf(request, view);
      if (question === null) return send(reply, page, refusedPage(view, view.texts.refused, 404));
      if (!hasFormKey(request, view))
        return send(reply, page, requestCodePage(view, `change/${question.change}/${question.id}`, null, 403));
      try {
        const target = await change(pages(), visitor, { ...question, date: formOf(request).get('date') ?? '' });
        return reply.redirect(target ?? `${path}?done=${question.change}`, 303);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status >= 500) throw error;
        const { reason, date } = error.details ?? {};
        const text = reason === 'already_skipped' ? view.texts.skippedAlready(view.day(String(date))) : view.texts.refused;
        return send(reply, page, refusedPage(view, text, error.status));
      }
    }),
  );

  scope.get(
    '/account/:token/pay',
    PAYERS,
    opened(async (request, reply, view, { page, visitor }) => {
      const { invoice } = request.query as { invoice?: unknown };
      const chosen = chosenOf(view, [invoice].flat());
      if (chosen.length === 0) return send(reply, page, refusedPage(view, view.texts.pay.nothingChosen, 400));
      const ids = chosen.map(({ invoiceId }) => invoiceId);
      await pages().visited({ ...visitor, deviceId: markDevice(request, reply, '/account') }, ids);
      return send(reply, page, payInvoicesPage(view, chosen));
    }),
  );

  scope.post(
    '/account/:token/pay',
    PAYERS,
    opened(async (request, reply, view, { page, visitor, path }) => {
      const form = formOf(request);
      if (form.has('stored') && !hasFormKey(request, view)) return send(reply, page, requestCodePage(view, '', null, 403));
      const result = await submitPayment(pages(), visitor, view, form);
      if (typeof result === 'string') return reply.redirect(`${path}/payments/${result}`, 303);
      return send(reply, page, result);
    }),
  );

  scope.get(
    '/account/:token/payments/:id',
    PAYERS,
    opened(async (request, reply, view, { page, visitor }) => {
      const { id } = request.params as { id: string };
      const group = isId('ivg', id) ? await pages().paymentGroup(visitor.token, id) : null;
      if (group === null) throw new ServiceError('NOT_FOUND', 'There is no such payment.');
      return send(reply, page, resultPage(view, group));
    }),
  );

  scope.get(
    '/account/:token/receipts/:file',
    FILES,
    opened(async (request, reply, _view, { visitor }) => {
      const { file } = request.params as { file: string };
      const id = file.replace(/\.pdf$/, '');
      if (!isId('txn', id) && !isId('tnd', id)) throw new ServiceError('NOT_FOUND', 'There is no such receipt.');
      return sendPdf(reply, `${id}.pdf`, await pages().receipt(visitor, id));
    }),
  );
}

function send(reply: FastifyReply, { merchant, isSandbox }: CustomerPage, page: Page): FastifyReply {
  return sendDocument(reply, page, { language: merchant.language, brand: brandOf(merchant), isSandbox });
}

const formOf = ({ body }: FastifyRequest): URLSearchParams => (body instanceof URLSearchParams ? body : new URLSearchParams());

/** Returns a path that the page may return to; empty for any other text. */
const nextOf = (next: unknown): string => (typeof next === 'string' && NEXT.test(next) ? next : '');

/** Returns true if the form was made for the session of the browser, so that no other site has made it. */
const hasFormKey = (request: FastifyRequest, { formKey }: AccountView): boolean => formKey !== '' && formOf(request).get('key') === formKey;

function noticeOf({ texts, content }: AccountView, done: string): string | null {
  if (done === 'confirmed') return content.isConfirmed ? texts.done.confirmed : null;
  return done === 'ended' ? texts.done.ended : texts.changes[done as Change].done;
}

/** Returns the open invoices with the IDs, each once. */
function chosenOf({ content }: AccountView, ids: readonly unknown[]): OpenInvoice[] {
  const wanted = new Set(ids);
  const chosen = content.invoices.filter((invoice) => wanted.has(invoice.invoiceId) && isPayable(invoice));
  return chosen.filter(({ payable }) => payable.currency === chosen[0]?.payable.currency).slice(0, TOGETHER_MAX);
}

/** Returns the change that a path names, of a subscription or card of this customer; null if it is not possible. */
function questionOf(request: FastifyRequest, view: AccountView) {
  const { change: named, id } = request.params as { change: string; id: string };
  const change = CHANGES.find((each) => each === named);
  const { content, texts } = view;
  if (change === undefined) return null;
  if (change === 'replace' && id === 'new') return { change, id, subject: texts.methods.add, date: '' };
  if (change === 'replace' || change === 'remove') {
    const method = content.methods.find(({ paymentMethodId }) => paymentMethodId === id);
    return method && (change === 'replace' || method.canRemove) ? { change, id, subject: methodName(view, method), date: '' } : null;
  }
  const subscription = content.subscriptions.find(({ subscriptionId }) => subscriptionId === id);
  if (!subscription || !(change === 'cancel' ? subscription.canCancel : subscription.canSkip)) return null;
  return { change, id, subject: subscriptionName(view, subscription), date: change === 'skip' ? (subscription.nextPaymentDate ?? '') : '' };
}

/** Makes a change. Returns the path of the page that follows; null for that of the customer. */
async function change(
  pages: Core['customerPages'],
  visitor: Visitor,
  { change: kind, id, date }: { readonly change: Change; readonly id: string; readonly date: string },
): Promise<string | null> {
  if (kind === 'replace') return pages.replaceCard(visitor, id === 'new' ? undefined : id);
  if (kind === 'remove') await pages.removeMethod(visitor, id);
  else if (kind === 'cancel') await pages.cancelSubscription(visitor, id);
  else if (DATE.test(date)) await pages.skipPayment(visitor, id, date);
  else throw new ServiceError('VALIDATION_ERROR', 'The date is missing.', { field: 'date' });
  return null;
}
