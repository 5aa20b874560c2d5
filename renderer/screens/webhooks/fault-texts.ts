/** Labels of delivery failures. */
const FAULT_TEXTS: Readonly<Record<string, string>> = {
  status: 'Not 200',
  redirect: 'Redirect',
  timeout: 'No response in 5 s',
  connection: 'No connection',
  tls: 'Certificate error',
  dns: 'Unknown host',
  blocked: 'Not allowed',
};

export function faultText(kind: string): string {
  return FAULT_TEXTS[kind] ?? kind;
}
