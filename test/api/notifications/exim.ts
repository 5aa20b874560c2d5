import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { type Mail, startMailServer } from './fake-mail-server.ts';

const TLS = join(import.meta.dirname, '../../support/tls');
/** Debian's name first; the folder of system programs is often missing on the PATH of a person. */
const PROGRAM = ['exim4', 'exim', '/usr/sbin/exim4', '/usr/sbin/exim'].find((name) => spawnSync(name, ['-bV']).status === 0);

/** Reason why no real mail server can be started; undefined if Exim is installed. */
export const NO_EXIM = PROGRAM === undefined ? 'there is no exim4' : undefined;

interface Exim {
  readonly port: number;
  /** Returns the mails to an address that Exim has delivered. */
  to(address: string): Mail[];
  stop(): Promise<void>;
}

/** Local part that the server refuses. */
export const UNKNOWN_MAILBOX = 'unknown';

/** Starts Exim with STARTTLS and a sign-in, without which it accepts nothing. It delivers to a mailbox of the test. */
export async function startExim(login: Login): Promise<Exim> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-exim-'));
  // Exim delivers as another user if root has started it.
  chmodSync(folder, 0o755);
  for (const name of ['spool', 'log']) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o777);
  }
  const mailbox = await startMailServer();
  const port = await freePort();
  const configuration = join(folder, 'exim.conf');
  writeFileSync(configuration, configurationOf(folder, { port, mailboxPort: mailbox.port, login }));
  // Exim refuses a configuration that others can change.
  chmodSync(configuration, 0o600);
  const child: ChildProcess = spawn(PROGRAM ?? 'exim4', ['-C', configuration, '-bdf', '-q1m'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr?.on('data', (part: Buffer) => {
    log += part.toString();
  });
  const exited = once(child, 'exit');
  await until('Exim accepts connections', async () => {
    if (child.exitCode !== null) throw new Error(`Exim ended:\n${log}`);
    return isListening(port);
  });
  return {
    port,
    to: (address) => mailbox.to(address),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await mailbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

interface Login {
  readonly user: string;
  readonly password: string;
}

interface Settings {
  readonly port: number;
  readonly mailboxPort: number;
  readonly login: Login;
}

function configurationOf(folder: string, { port, mailboxPort, login: { user, password } }: Settings): string {
  const { username, uid, gid } = userInfo();
  const carrier = uid === 0 ? 'nobody' : username;
  return `
primary_hostname = mail.shop.example
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/exim.pid
local_interfaces = <; 127.0.0.1
daemon_smtp_ports = ${port}
domainlist local_domains = shop.example
never_users =
exim_user = ${username}
exim_group = ${gid}
keep_environment =
tls_advertise_hosts = *
tls_certificate = ${TLS}/receiver.pem
tls_privatekey = ${TLS}/receiver-key.pem
acl_smtp_rcpt = recipients
acl_smtp_data = accept

begin acl
recipients:
  deny message = ${UNKNOWN_MAILBOX} is no mailbox of this server
    condition = \${if eq{$local_part}{${UNKNOWN_MAILBOX}}}
  deny message = sign in first
    !authenticated = *
  accept domains = +local_domains
  deny message = relaying is not permitted

begin routers
mailboxes:
  driver = manualroute
  domains = +local_domains
  route_list = * 127.0.0.1
  self = send
  transport = mailbox

begin transports
mailbox:
  driver = smtp
  user = ${carrier}
  port = ${mailboxPort}
  allow_localhost
  hosts_try_fastopen =

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{${user}}}{eq{$auth3}{${password}}}}}
  server_set_id = $auth2
  server_advertise_condition = \${if def:tls_in_cipher}
`;
}
