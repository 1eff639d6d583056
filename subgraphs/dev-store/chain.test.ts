import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseError } from '../kernel/database/database-error.ts';
import { startFirst } from './chain.ts';
import { storeLayout } from './layout.ts';
import { PROVIDERS } from './open-dev-store.ts';
import type { StoreOwner } from './owner.ts';
import {
  type Provider,
  type ProviderContext,
  type Provision,
  running,
  type StoreKind,
  unavailable,
} from './provider.ts';
import { memoryLog } from './testing/script-process.ts';

let tried: StoreKind[];
let memory: ReturnType<typeof memoryLog>;
let context: ProviderContext;

beforeEach(() => {
  tried = [];
  memory = memoryLog();
  context = {
    layout: storeLayout('/data'),
    env: {},
    log: memory.log,
    recordServer: () => undefined,
  };
});

afterEach(() => expect(new Set(tried).size).toBe(tried.length));

function fakes(outcomes: Partial<Record<StoreKind, () => Provision>>): Provider[] {
  return PROVIDERS.map((provider) => ({
    ...provider,
    provide: async () => {
      tried.push(provider.kind);
      return outcomes[provider.kind]?.() ?? unavailable('not here');
    },
  }));
}

function runs(uri: string): () => Provision {
  return () =>
    running({ uri, description: uri, exited: new Promise(() => undefined), stop: async () => undefined });
}

function breaks(error: Error): () => Provision {
  return () => {
    throw error;
  };
}

const owner: StoreOwner = {
  format: 'mongod',
  description: 'mongod 8.2.6',
  since: '2026-11-21T08:00:00.000Z',
};

describe('the chain', () => {
  test('tries providers in the designed order', () => {
    expect(PROVIDERS.map(({ kind }) => kind)).toEqual([
      'mongod',
      'secantus-rs',
      'secantus-py',
      'mongod-download',
    ]);
  });

  test('takes the first that runs and tries no other', async () => {
    const { provider, server } = await startFirst(
      fakes({ 'secantus-rs': runs('three'), 'secantus-py': runs('four') }),
      context,
      undefined,
    );
    expect([provider.kind, server.uri, tried]).toEqual(['secantus-rs', 'three', ['mongod', 'secantus-rs']]);
  });

  test('skips a broken step and reports it', async () => {
    const providers = fakes({ mongod: breaks(new DatabaseError('no AVX')), 'secantus-py': runs('four') });
    const { provider } = await startFirst(providers, context, undefined);
    expect(provider.kind).toBe('secantus-py');
    expect(memory.lines).toEqual([expect.objectContaining({ level: 40, reason: 'no AVX' })]);
  });

  test('without any names every step, why it failed and how to get it', async () => {
    const providers = fakes({ mongod: breaks(new DatabaseError('no AVX')) });
    const error: Error = await startFirst(providers, context, undefined).catch((reason) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error.message).toContain('1. MONGODB_URI: it is not set. Set MONGODB_URI to a');
    PROVIDERS.forEach(({ name, howToGet, kind }, index) => {
      const reason = kind === 'mongod' ? 'it does not work: no AVX' : 'not here';
      expect(error.message).toContain(`${index + 2}. ${name}: ${reason}. ${howToGet}`);
    });
  });

  test('does not take a bug for a step that is missing', async () => {
    const providers = fakes({ mongod: breaks(new TypeError('oops')), 'secantus-py': runs('four') });
    await expect(startFirst(providers, context, undefined)).rejects.toThrow(TypeError);
  });
});

describe('data that is there', () => {
  test('is opened by a provider of its format only', async () => {
    const providers = fakes({ 'secantus-rs': runs('three'), 'mongod-download': runs('five') });
    const { provider } = await startFirst(providers, context, owner);
    expect([provider.kind, tried]).toEqual(['mongod-download', ['mongod', 'mongod-download']]);
  });

  test('is not abandoned when its program is gone', async () => {
    const start = startFirst(fakes({ 'secantus-rs': runs('three') }), context, owner);
    await expect(start).rejects.toThrow(
      /^\/data\/store holds data kept since 2026-\S+ by mongod 8\.2\.6.*mongod on PATH: not here.*move \/data\/store away/s,
    );
  });

  test('is not abandoned when its program is broken', async () => {
    const providers = fakes({
      mongod: breaks(new DatabaseError('bad sector')),
      'mongod-download': runs('five'),
    });
    await expect(startFirst(providers, context, owner)).rejects.toThrow(
      /mongod on PATH cannot open the data in \/data\/store.*bad sector/,
    );
  });
});
