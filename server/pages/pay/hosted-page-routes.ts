import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import { ServiceError } from '#core/kernel';
import { type Brand, formatMoney } from '#core/platform/documents';
import { html } from '../html.ts';
import { HOSTED_PAGE_TEXTS } from './hosted-page-texts.ts';
import { preferredLanguage } from './languages.ts';
import type { Page } from './layout.ts';
import { sendDocument } from './send-page.ts';
import { messagePage } from './states.ts';

const PAYERS = { config: { isForPayers: true } };
const GONE = 410;
const CONFLICT = 409;
const FIELD_MAX = 40;

const languageOf = (request: FastifyRequest) => preferredLanguage(request.headers['accept-language']);
const textsOf = (request: FastifyRequest) => HOSTED_PAGE_TEXTS[languageOf(request)];
const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;

/**
 * Adds the page that opens the payment form of a processor, which a browser must post, and the payment pages of the sandbox processor, which this server
 * shows in place of another company's. Both need no script.
 */
export function addProcessorPages(scope: FastifyInstance, runtime: { readonly core: Core }): void {
  const send = (request: FastifyRequest, reply: FastifyReply, page: Page, isSandbox = false, brand: Brand | null = null) =>
    sendDocument(reply, page, { language: languageOf(request), brand, isSandbox });

  scope.get('/pay/:token/gateway', PAYERS, async (request, reply) => {
    const { form: texts } = textsOf(request);
    const form = await runtime.core.invoicing.hostedPages.formOf(tokenOf(request));
    if (form === null) return send(request, reply, messagePage(GONE, texts.over));
    const fields = Object.entries(form.fields ?? {}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
    const page = {
      status: 200,
      title: texts.title,
      formOrigin: new URL(form.url).origin,
      main: html`<section class="card stack"><h1>${texts.title}</h1>
<p>${form.number}: <strong>${formatMoney(form.amount, languageOf(request))}</strong></p><p>${texts.text(form.gateway)}</p>
<form method="post" action="${form.url}">${fields}<p><button>${texts.open}</button></p></form></section>`,
    };
    return send(request, reply, page, false, form.brand);
  });

  const sandboxPage = async (request: FastifyRequest, notice?: string, status = 200): Promise<Page> => {
    const { sandbox: texts } = textsOf(request);
    const page = await runtime.core.sandbox.hostedPage(tokenOf(request));
    if (page.state !== 'open') return messagePage(page.state === 'paid' ? 200 : GONE, texts[page.state]);
    const field = (name: string, label: string, size: number) =>
      html`<p class="field"><label for="sandbox-${name}">${label}</label><input type="text" id="sandbox-${name}" name="${name}" inputmode="numeric" size="${size}" maxlength="${FIELD_MAX}" autocomplete="off" required></p>`;
    return {
      status,
      title: texts.title,
      main: html`<section class="card stack"><h1>${texts.title}</h1>
<p>${page.companyName}: ${page.description}</p><p><strong>${formatMoney(page.amount, languageOf(request))}</strong></p>
${notice !== undefined && html`<p role="alert"><strong>${notice}</strong></p>`}
<form method="post" class="stack">${field('number', texts.number, 19)}<div class="pair">${field('month', texts.month, 2)}${field('year', texts.year, 4)}</div>${field('code', texts.code, 4)}
<p><button>${texts.pay}</button></p></form><p class="quiet">${texts.note}</p></section>`,
    };
  };

  scope.get('/sandbox/pay/:token', PAYERS, async (request, reply) => send(request, reply, await sandboxPage(request), true));

  scope.post('/sandbox/pay/:token', PAYERS, async (request, reply) => {
    if (!(request.body instanceof URLSearchParams)) throw new ServiceError('VALIDATION_ERROR', 'Send the form of the page.');
    const form = request.body;
    const field = (name: string) => (form.get(name) ?? '').trim().slice(0, FIELD_MAX);
    const card = {
      number: field('number'),
      expiryMonth: field('month').padStart(2, '0'),
      expiryYear: field('year').padStart(4, '20'),
      cvv: field('code'),
    };
    try {
      const result = await runtime.core.sandbox.payHostedPage(tokenOf(request), card);
      if (result.kind === 'declined') return send(request, reply, await sandboxPage(request, textsOf(request).sandbox.declined), true);
    } catch (error) {
      if (!(error instanceof ServiceError) || (error.code !== 'INVALID_CARD_NUMBER' && error.code !== 'RESOURCE_CONFLICT')) throw error;
      if (error.code === 'RESOURCE_CONFLICT') return send(request, reply, await sandboxPage(request, undefined, CONFLICT), true);
      return send(request, reply, await sandboxPage(request, textsOf(request).sandbox.invalid, 400), true);
    }
    return reply.redirect(`/sandbox/pay/${encodeURIComponent(tokenOf(request))}`, 303);
  });
}
