/** Labels of delivery failures. */
const FAULTS: Readonly<Record<string, string>> = {
  status: 'Not 200',
  redirect: 'Redirect',
  timeout: 'No answer in 5 s',
  connection: 'No connection',
  tls: 'Certificate',
  dns: 'Unknown host',
  blocked: 'Not allowed',
};

export function faultOf(kind: string): string {
  return FAULTS[kind] ?? kind;
}
