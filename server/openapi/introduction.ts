/** Introduction of the OpenAPI document and of `/docs`, in Markdown. */
export const INTRODUCTION = `Card and bank payments on this computer.

## Authentication

| Surface | Paths | Credential | Names and amounts |
| --- | --- | --- | --- |
| Public | \`/api/v1/public\` | \`x-api-key\` and \`X-Tenant-ID\` | PascalCase in \`POST /public/transaction\`, camelCase elsewhere; each name is accepted in both. Amounts as numbers |
| Admin | \`/api/v1\` | \`Authorization: Bearer\` with the access token of a signed-in user, and \`X-Tenant-ID\` | camelCase, amounts as numbers |
| SDK | \`/api/v1/sdk\` | \`Authorization: Bearer\` with the API key | PascalCase, amounts as strings |

An API key is not accepted on the Admin surface. Each operation lists the permission that its caller needs.

## Idempotency

Send an \`Idempotency-Key\` with every POST. A repeated request with the same key within 24 hours gets the first response byte for byte, with the header \`Idempotent-Replayed: true\`, and has no further effect. Refusals with the status 400 or 429 and failures with 500 or above that had no effect are not kept, so that the request can be repeated with the same key. While the first request is running, the answer is RESOURCE_CONFLICT with \`Retry-After\`. The same key with another body or path is RESOURCE_CONFLICT on \`Idempotency-Key\`. After a timeout, repeat the request with the same key.

If the server was stopped during a request, Paydesk finds out the outcome of a payment, and the repeated request gets it. Of other requests the outcome stays unknown: the answer is RESOURCE_CONFLICT with \`details.reason\` \`request_interrupted\`, on SQLite from the next start on, on PostgreSQL after ten minutes, because another server may still run the request. Then read the record before you repeat the request with another key.

Operations without the header in their parameters ignore it: those that change nothing, take or return a file, or create or exchange the master key. Operations that must be confirmed are confirmed for each request, also for a repeated one; the password and the code may differ.

## Pagination

Lists are ordered newest first, or by the field of \`sort\` where a list has that parameter, and return \`pagination\` beside \`data\`. Send \`limit\` (at most 200; a larger one counts as 200, and \`pagination.limit\` shows the limit that was used) and either \`page\` or \`cursor\`, the \`nextCursor\` of the previous page. A cursor does not skip or repeat items when new ones arrive.

## Clocks

Times are ISO 8601 in UTC. Days, such as \`startDate\`, are calendar dates in the time zone of the merchant. A sandbox has a test clock, which \`POST /api/v1/sandbox/clock\` moves ahead: subscriptions, retries and settlements then become due. Signatures and tokens use the clock of the computer.

## Errors

A failed request has the body \`{"success": false, "error": {code, message, field, details, docUrl}}\`. Compare \`code\`; \`message\` is for people and may change. \`field\` names the field as you sent it. \`docUrl\` is the page of the code on this server. A declined payment is not an error: it is HTTP 200 with \`success\` false and \`declineCode\` in \`data\`. Every response, also that of an error, has the headers \`X-Request-Id\`, \`Paydesk-Version\`, \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.

A field that an operation does not have is never dropped silently. It is refused with VALIDATION_ERROR if its name resembles that of a field (other case, one or two letters, its beginning or its end), or if it would change money, authentication or the way of charging: \`currency\` of a refund, \`amount\` of a void, \`capture\`, \`threeDSecure\`, \`installments\`, also within objects. Any other unknown field is ignored and named in the header \`Paydesk-Ignored-Fields\` of the response. Unknown query parameters are refused, except those that begin with \`_\`. PUT accepts the response of GET: fields that cannot be changed are ignored.

A field that is given twice in one JSON object is refused, because programs differ in which value they use. A path that has no route with this method answers NOT_FOUND, names the methods that it has, and has them in \`Allow\`.

Card numbers are accepted in card fields only. In any other field they are refused with VALIDATION_ERROR and \`details.reason\` \`card_number_in_text\`.

## Versions

The path contains the version, \`/api/v1\`. Within it, fields, operations, event types and error codes are added only. Clients must ignore fields that they do not know. A field that will be removed is first marked as deprecated in this document and in the changelog, and stays for at least twelve months. To pin a version, send \`Paydesk-Version: 1\`; a server that no longer has it refuses the request with VALIDATION_ERROR.
`;

/** Descriptions of the groups of operations. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'Public API': 'Payments, customers and links for programs with an API key.',
  'SDK API': 'The same payments with PascalCase names, for programs that use the SDK.',
  Authentication: 'Sign-in, access tokens, passwords and second factors.',
  'Company sign-in': 'Sign-in at the provider of a company by OpenID Connect.',
  'API keys': 'Keys of programs, with permissions, tier and expiry.',
  'Users and roles': 'Users, their roles, permissions and sessions.',
  Merchants: 'Merchants with their settings, gateways, routing and fraud rules.',
  Transactions: 'Sales, authorizations, captures, voids and reruns.',
  'Unconfirmed payments': 'Payments whose outcome the processor has not confirmed yet.',
  Refunds: 'Refunds of all transactions.',
  'Refund decline queue': 'Declined refunds, their retries and their resolution.',
  'To do': 'Work that waits for a person, from all subjects.',
  Approvals: 'Operations that need a second person, their decisions, and the rules that require them.',
  Disputes: 'Chargebacks and retrieval requests, with the money that they move.',
  'Customer transfers': 'Import of customers with stored cards from other providers, and the export to another one.',
  Bank: 'Bank accounts, statements, their matches with payouts, and the close of periods.',
  Customers: 'Customers and their stored payment methods.',
  Recurring: 'Subscriptions, their payments and retries.',
  Invoices: 'Invoices, payment links and their payments.',
  Items: 'Items and quick amounts of the terminal.',
  Orders: 'Sales that several payments can pay, and parked sales.',
  'Gift cards': 'Gift cards and store credit: their balances, and what is owed to their holders.',
  Register: 'Payments at the counter without a processor, and shifts at cash drawers.',
  Installments: 'Plans that pay an invoice in dated automatic charges.',
  'Card readers': 'Readers on which customers present their cards, and the payments that run on them.',
  'Charge later': 'Payments with saved cards and bank accounts that wait for a gateway during an outage.',
  Settlement: 'Settlements, payouts and reconciliation.',
  Webhooks: 'Endpoints that receive events, and the deliveries to them.',
  Messages: 'Emails and text messages, and the channels that send them.',
  Receipts: 'Receipts to print, send and download; the cash drawer.',
  Sandbox: 'Test clock, messages and simulated faults of sandbox accounts.',
  Changes: 'A stream of the changes that screens follow.',
  'Audit log': 'The log of all changes, and its verification.',
  Reporting: 'Reports and exports of transactions and settlements.',
  Analytics: 'Sums over time or by group, for charts.',
  Limits: 'Request limits, and the log of requests.',
  Backup: 'Encrypted backups of the installation.',
  Keys: 'Master key, data keys and recovery file.',
  System: 'Health and status of the server.',
  Setup: 'First start: account, database, restore.',
  'Webhook events': 'Requests that Paydesk sends to webhook endpoints.',
};
