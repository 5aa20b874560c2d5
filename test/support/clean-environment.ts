/** Settings of the tests themselves. Settings of Paydesk begin with PAYDESK_, too. */
const OF_TESTS = /^PAYDESK_(TEST_|E2E_|SOAK_|MIX|WRITE_EVENTS)/;
/** Settings of programs that tests start or connect to: Paydesk, PostgreSQL, CUPS, and proxies. */
const OF_PROGRAMS = /^(PAYDESK_\w+|PG[A-Z]+|DATABASE_URL|CUPS_\w+|PRINTER|LPDEST|NODE_USE_ENV_PROXY|(https?|all|no)_proxy)$/i;

/** Removes settings of this computer from the environment, so that tests and the programs that they start find none that changes what they prove. */
export function cleanEnvironment(): void {
  for (const name of Object.keys(process.env)) if (OF_PROGRAMS.test(name) && !OF_TESTS.test(name)) delete process.env[name];
}
