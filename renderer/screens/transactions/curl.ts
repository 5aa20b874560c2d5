/**
 * Returns the shell command that reads a transaction. The credentials are variables, because a real token does not belong on a clipboard.
 */
export function curlOf(transactionId: string, origin: string): string {
  return [
    `curl ${origin}/api/v1/transactions/${encodeURIComponent(transactionId)}`,
    '-H "Authorization: Bearer $PAYDESK_TOKEN"',
    '-H "X-Tenant-ID: $PAYDESK_TENANT"',
  ].join(' \\\n  ');
}
