import { Type } from 'typebox';
import { InvoiceLink } from '#core/billing/invoicing';
import { text } from '#core/platform/fields';
import { SentMessage } from '#core/records/notifications';
import { route, Success } from '#server/http';
import { NewLinkIn, PhoneIn, Text } from '#server/schemas';

const post = { surface: 'public', method: 'POST', tag: 'Public API', permission: 'invoices:write', scope: 'merchant' } as const;
const ADDRESS = Text(2_000, 'address of a payment page of this server', 'http://127.0.0.1:4801/pay/Zk3v9q');

const generateUrl = route({
  ...post,
  path: '/generate-url',
  id: 'public.createPaymentLink',
  approvable: true,
  summary: 'Create a payment link',
  description:
    'The page at `url` accepts the payment until `expiresAt`. The link is an invoice of kind `link`. With `sendVia` it is sent to `customerEmail` and `phone`; if a channel is not set up on a live account, no link is created.',
  created: true,
  idempotent: true,
  body: NewLinkIn,
  response: Success(InvoiceLink),
  errors: [
    'INVALID_AMOUNT',
    'INVALID_CURRENCY',
    'INVALID_EMAIL',
    'INVALID_PHONE',
    'REQUIRED_FIELD_MISSING',
    'NOT_FOUND',
    'MERCHANT_NOT_FOUND',
    'MERCHANT_NOT_AUTHORIZED',
    'RESOURCE_CONFLICT',
  ],
  run: ({ core, actor, body }) => core.invoicing.createLink(actor, body),
  show: ({ invoice, messageIds }) => ({ ...invoice, messageIds }),
});

const shorten = route({
  ...post,
  path: '/shorten-url',
  id: 'public.shortenUrl',
  summary: 'Create the short address of a payment page',
  description: 'The same page always has the same short address. Only your own payment pages are accepted.',
  body: Type.Object({ url: ADDRESS }),
  response: Success(Type.Object({ shortUrl: text('Short address of the payment page', 'http://127.0.0.1:4801/p/7k2mq9xw') })),
  run: ({ core, actor, body }) => core.invoicing.shorten(actor, body.url),
});

const texted = {
  ...post,
  body: Type.Object({ url: ADDRESS, phone: PhoneIn }),
  response: Success(
    Type.Object({
      shortUrl: text('Short address of the payment page', 'http://127.0.0.1:4801/p/7k2mq9xw'),
      messageId: SentMessage.properties.messageId,
    }),
  ),
  errors: ['INVALID_PHONE'],
} as const;

const shortenSms = route({
  ...texted,
  path: '/shorten-url-sms',
  id: 'public.shortenUrlSms',
  summary: 'Send the short address of a payment page by text message',
  description: 'Queues one text message. The outbox shows whether it was sent.',
  run: ({ core, actor, body }) => core.invoicing.textLink(actor, body),
});

const shortenPaymentSms = route({
  ...texted,
  path: '/shorten-url-payment-sms',
  id: 'public.shortenUrlPaymentSms',
  summary: 'Send a payment request with amount and short address by text message',
  description: 'Queues one text message that names the amount. The outbox shows whether it was sent.',
  errors: ['INVALID_PHONE', 'INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED'],
  run: ({ core, actor, body }) => core.invoicing.textRequest(actor, body),
});

export const publicLinks = [generateUrl, shorten, shortenSms, shortenPaymentSms];
