import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { shippedPackages } from '../shipped-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The Debian package contains Node itself. */
const NODE = /^node@/;

interface Component {
  readonly 'bom-ref': string;
  readonly properties?: unknown;
}

interface Bill {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp: string; readonly component: { readonly 'bom-ref': string; readonly name: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Returns the CycloneDX description of all packages whose code is shipped, as JSON. It has no random number, so the same commit gives the same bytes. */
export function billOfMaterials(version: string, epoch: number): string {
  const output = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'], {
    cwd: ROOT,
    // With `production`, npm leaves out the packages that a bundle contains.
    env: { ...process.env, NODE_ENV: 'development' },
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  const { serialNumber: _, ...bill } = JSON.parse(output) as Bill;
  const shipped = new Set(shippedPackages().map((each) => `${each.name}@${each.version}`));
  // npm marks packages that a bundle contains as optional ones for development.
  const components = bill.components
    .filter(({ 'bom-ref': ref }) => shipped.has(ref) || NODE.test(ref))
    .map(({ properties: _, ...component }) => ({ ...component, scope: 'required' }));
  const own = bill.metadata.component['bom-ref'];
  const refs = new Set([own, ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  const metadata = {
    ...bill.metadata,
    timestamp: new Date(epoch * 1_000).toISOString(),
    component: { ...bill.metadata.component, name: 'paydesk', version },
  };
  return `${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`;
}
