import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An advisory of the npm registry. */
export interface Advisory {
  severity: 'low' | 'moderate' | 'high' | 'critical';
  url: string;
}

/** An npm registry with one version of one package, `leaky`. */
export class FakeNpmRegistry {
  /** The advisories for the package; `undefined` removes the audit endpoint. */
  advisories: Advisory[] | undefined = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      request.resume();
      const isAudit = request.url === '/-/npm/v1/security/advisories/bulk';
      const isKnown = isAudit ? request.method === 'POST' && this.advisories : request.url === '/leaky';
      response.writeHead(isKnown ? 200 : 405, { 'Content-Type': 'application/json' });
      response.end(isKnown ? JSON.stringify(isAudit ? this.buildAdvisoryResponse() : LEAKY_PACKAGE) : '');
    });
  }

  static async start(): Promise<FakeNpmRegistry> {
    const registry = new FakeNpmRegistry();
    registry.server.listen(0, '127.0.0.1');
    await once(registry.server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((stopped) => this.server.close(stopped));
  }

  private buildAdvisoryResponse(): object {
    const what = { title: 'Leaks', vulnerable_versions: '<2.0.0', cwe: [], cvss: { score: 0, vectorString: null } };
    return { leaky: this.advisories!.map((one, id) => ({ id, ...what, ...one })) };
  }
}

const LEAKY_PACKAGE = {
  name: 'leaky',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'leaky', version: '1.0.0' } },
};
