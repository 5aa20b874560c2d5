/** The command that reads a transaction from a terminal. The credentials are left to the reader: a real token does not belong on a clipboard. */
export function curlOf(transactionId: string, origin: string): string {
  return [
    `curl ${origin}/api/v1/transactions/${encodeURIComponent(transactionId)}`,
    '-H "Authorization: Bearer $PAYDESK_TOKEN"',
    '-H "X-Tenant-ID: $PAYDESK_TENANT"',
  ].join(' \\\n  ');
}
